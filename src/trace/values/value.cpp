#include "trace/values/value.hpp"

#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint8_t kSmall = 128;
constexpr std::int64_t kSmallLimit = 112;

enum Form : std::uint8_t { kByStream = 0, kUniformConstant = 1, kUniform = 2, kCases = 3 };

// A series of a value is never empty.
Series decode_some(ByteReader& in) {
  Series s = Series::decode(in);
  if (s.empty()) in.fail("a value has an empty series");
  return s;
}

}  // namespace

std::int64_t encode_rank(Encoding encoding, std::int64_t value, Membership of) {
  if (value < 0) return value;
  switch (encoding) {
    case Encoding::absolute: return value;
    case Encoding::relative:
      // On an inter-communicator a stream's own rank may lie behind those of its peers.
      if (value >= of.size) return value;
      return static_cast<std::int64_t>((static_cast<std::uint64_t>(value) +
                                        static_cast<std::uint64_t>(of.size) -
                                        static_cast<std::uint64_t>(of.rank % of.size)) %
                                       static_cast<std::uint64_t>(of.size));
    case Encoding::exclusive_or: return value ^ of.rank;
  }
  return value;
}

std::int64_t decode_rank(Encoding encoding, std::int64_t written, Membership of) {
  if (written < 0 || is_special(written)) return written;
  switch (encoding) {
    case Encoding::absolute: return written;
    case Encoding::relative:
      return of.size > 0 && written < of.size ? wrapping_add(written, of.rank) % of.size : written;
    case Encoding::exclusive_or: return written ^ of.rank;
  }
  return written;
}

const Series* Value::series_of(std::uint64_t stream) const {
  if (classes.empty()) return nullptr;
  if (classes.size() == 1) return &classes.front();
  const auto index = static_cast<std::uint64_t>(by_stream.at(stream));
  return &classes[index < classes.size() ? index : 0];
}

void Value::encode(ByteWriter& out) const {
  const auto tag = static_cast<std::uint8_t>(static_cast<std::uint8_t>(encoding) << 2);
  if (is_constant()) {
    const std::int64_t v = by_stream.at(0);
    if (encoding == Encoding::absolute && v >= 0 && v < kSmallLimit) {
      out.byte(static_cast<std::uint8_t>(kSmall + v));
    } else {
      out.byte(tag | kUniformConstant);
      encode_value(out, v);
    }
  } else if (classes.empty()) {
    out.byte(tag | kByStream);
    by_stream.encode(out);
  } else if (classes.size() == 1) {
    out.byte(tag | kUniform);
    classes.front().encode(out);
  } else {
    out.byte(tag | kCases);
    out.varint(classes.size());
    for (const Series& s : classes) s.encode(out);
    by_stream.encode(out);
  }
}

Value Value::decode(ByteReader& in) {
  Value v;
  const std::uint8_t head = in.byte();
  // A constant is a series of one term.
  if (head >= kSmall) return in.affords<Term>(1) ? constant(head - kSmall) : v;
  if (head >> 2 > static_cast<std::uint8_t>(Encoding::exclusive_or)) {
    return in.fail("an unknown encoding of a value"), v;
  }
  v.encoding = static_cast<Encoding>(head >> 2);
  switch (head & 3) {
    case kByStream: v.by_stream = decode_some(in); break;
    case kUniformConstant:
      if (in.affords<Term>(1)) v.by_stream = Series::constant(decode_value(in));
      break;
    case kUniform:
      if (in.affords<Series>(1)) v.classes.push_back(decode_some(in));
      break;
    case kCases: {
      const std::size_t n = in.count_of<Series>();
      if (n < 2) in.fail("a value has too few cases");
      v.classes.reserve(n);
      for (std::size_t i = 0; i < n && !in.failed(); ++i) v.classes.push_back(decode_some(in));
      v.by_stream = decode_some(in);
      break;
    }
  }
  return v;
}

}  // namespace reprise::trace
