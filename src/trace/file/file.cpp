#include "trace/file/file.hpp"

#include <zstd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/printable.hpp"
#include "trace/calls/posix.hpp"
#include "trace/file/callpath_codec.hpp"
#include "trace/file/rank_section.hpp"
#include "trace/file/times_codec.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::trace {
namespace {

constexpr char kMagic[] = {'R', 'E', 'P', 'R', 'I', 'S', 'E'};
constexpr std::size_t kHeader = sizeof kMagic + 1 + 8;
constexpr std::uint64_t kMaxBody = std::uint64_t{1} << 32;  // [bytes], when not compressed
constexpr std::size_t kSmallBody = std::size_t{1} << 14;    // [bytes]
constexpr int kMaxFileNesting = 1024;

// What a file may take: zstd makes up to 2^15 bytes of one, and a byte of the body may take a
// hundred in memory. 100,000 call sites that differ in nothing but their line, the most regular
// program there is, have a body 6 times as large as the file, and take 300 times the file in memory
// (tests/hostile).
struct Allowance {
  std::uint64_t at_least;  // [bytes]
  std::uint64_t ratio;     // for each byte of the file

  constexpr std::uint64_t of(std::uint64_t file) const { return at_least + ratio * file; }
};
constexpr Allowance kBodyAllowance{std::uint64_t{1} << 22, 256};
constexpr Allowance kMemoryAllowance{std::uint64_t{1} << 26, 1024};
constexpr std::size_t kMaxSections = 64;

//   item := varint call + 1, or 0 and varint items; value trips; item{items}
void encode_item(ByteWriter& out, const Item& item) {
  out.varint(item.is_call() ? std::uint64_t{item.call} + 1 : 0);
  if (!item.is_call()) out.varint(item.body.size());
  item.trips.encode(out);
  for (const Item& b : item.body) encode_item(out, b);
}

Item decode_item(ByteReader& in, std::size_t calls, int nesting) {
  Item item;
  if (nesting > kMaxFileNesting) return in.fail("loops nest too deeply"), item;
  const std::uint64_t call = in.varint();
  std::size_t items = 0;
  if (call == 0) {
    items = in.count_of<Item>(2);
  } else if (call > calls) {
    in.fail("a call that is not there");
  } else {
    item.call = static_cast<std::uint32_t>(call - 1);
  }
  item.trips = Value::decode(in);
  item.body.reserve(items);
  for (; items > 0 && !in.failed(); --items) {
    item.body.push_back(decode_item(in, calls, nesting + 1));
  }
  return item;
}

//   sections := nothing, or varint sections, (text name, varint version, text content){sections}
void encode_sections(ByteWriter& out, const std::vector<Section>& sections) {
  if (sections.empty()) return;
  out.varint(sections.size());
  for (const Section& s : sections) {
    out.text(s.name);
    out.varint(s.version);
    out.varint(s.content.size());
    out.raw(s.content.data(), s.content.size());
  }
}

std::vector<Section> decode_sections(ByteReader& in) {
  std::vector<Section> out;
  const std::size_t n = in.count_of<Section>(3);
  if (n == 0 || n > kMaxSections) return in.fail("data behind the end"), out;
  while (out.size() < n && !in.failed()) {
    Section& s = out.emplace_back();
    s.name = in.text();
    s.version = in.varint();
    const std::string content = in.text();
    s.content.assign(content.begin(), content.end());
  }
  return out;
}

Wrapper decode_wrapper(ByteReader& in, std::size_t texts) {
  const std::uint64_t function = in.varint(), file = in.varint();
  if (function >= texts || file >= texts) in.fail("a text that is not there");
  return {static_cast<std::uint32_t>(function), static_cast<std::uint32_t>(file)};
}

void encode_trace_body(ByteWriter& out, const Trace& t) {
  out.text(t.program);
  out.text(t.mpi);
  out.text(t.options);
  out.signed_varint(t.date);
  out.varint(t.duration);
  out.varint(t.ranks);
  out.varint(t.threads);
  out.varint(t.symbolized);
  out.varint(t.losses.size());
  for (const Loss& l : t.losses) {
    out.text(l.what);
    out.varint(l.count);
  }
  out.varint(t.texts.empty() ? 0 : t.texts.size() - 1);  // the first is empty
  for (std::size_t i = 1; i < t.texts.size(); ++i) out.text(t.texts[i]);
  out.varint(t.modules.size());
  for (const Module& m : t.modules) {
    out.text(m.path);
    out.text(m.build_id);
  }
  out.varint(t.frames.size());
  for (const Frame& f : t.frames) encode_frame(out, f);
  out.varint(t.callpaths.size());
  encode_callpaths(out, t);
  encode_code(out, t.code);
  out.varint(t.wrappers.size());
  for (const Wrapper& w : t.wrappers) {
    out.varint(w.function);
    out.varint(w.file);
  }

  // Functions are known by name, so that a table that grows does not change old files.
  std::map<FunctionId, std::uint64_t> number;
  std::vector<FunctionId> used;
  for (const Call& c : t.calls) {
    if (number.emplace(c.function, used.size()).second) used.push_back(c.function);
  }
  out.varint(used.size());
  for (const FunctionId f : used) {
    out.text(name_in_file(f));
    out.varint(function(f).columns());
  }
  out.varint(t.calls.size());
  for (const Call& c : t.calls) {
    out.varint(number[c.function]);
    out.varint(c.callpath);
    for (const Value& v : c.columns) v.encode(out);
  }
  encode_item(out, t.root);
  t.timing.encode(out);
  TimesWriter times(out, t.timing, t.streams());
  for (const CallTimes& c : t.times) times.write(c);
  encode_sections(out, t.sections);
}

Trace decode_trace_body(ByteReader& in) {
  Trace t;
  t.program = in.text();
  t.mpi = in.text();
  t.options = in.text();
  t.date = in.signed_varint();
  t.duration = in.varint();
  t.ranks = in.varint();
  t.threads = in.varint();
  t.symbolized = in.varint() != 0;
  if (t.threads == 0 || t.ranks == 0 || t.ranks > kMaxStreams / t.threads) {
    in.fail("an impossible number of ranks or threads");
  }
  t.losses.resize(in.count_of<Loss>(2));
  for (Loss& l : t.losses) {
    l.what = in.text();
    l.count = in.varint();
  }
  t.texts.resize(in.count_of<std::string>() + 1);
  for (std::size_t i = 1; i < t.texts.size(); ++i) t.texts[i] = in.text();
  t.modules.resize(in.count_of<Module>(2));
  for (Module& m : t.modules) {
    m.path = in.text();
    m.build_id = in.text();
  }
  t.frames.resize(in.count_of<Frame>(3));
  for (Frame& f : t.frames) f = decode_frame(in, t);
  decode_callpaths(in, in.count_of<std::vector<std::uint32_t>>(2), t);
  t.code = decode_code(in);
  if (!t.code.paths.empty() && t.code.paths.size() != t.callpaths.size())
    in.fail("code of other call paths");
  t.wrappers.resize(in.count_of<Wrapper>(2));
  for (Wrapper& w : t.wrappers) w = decode_wrapper(in, t.texts.size());

  std::vector<FunctionId> used;
  for (std::size_t n = in.count(2); n > 0 && !in.failed(); --n) {
    const std::string name = in.text();
    const std::uint64_t columns = in.varint();
    const auto found = find_in_file(name);
    if (!found || function(*found).columns() != columns) {
      return in.fail("the unknown function " + name), t;
    }
    used.push_back(*found);
  }
  const std::size_t calls = in.count_of<Call>(2);
  t.calls.reserve(calls);
  for (std::size_t n = calls; n > 0 && !in.failed(); --n) {
    Call& c = t.calls.emplace_back();
    const std::uint64_t f = in.varint();
    const std::uint64_t callpath = in.varint();
    if (f >= used.size()) return in.fail("a function that is not there"), t;
    if (callpath >= t.callpaths.size()) return in.fail("a call path that is not there"), t;
    c.function = used[static_cast<std::size_t>(f)];
    c.callpath = static_cast<std::uint32_t>(callpath);
    const std::size_t columns = function(c.function).columns();
    if (!in.affords<Value>(columns)) return t;
    c.columns.resize(columns);
    for (Value& v : c.columns) v = Value::decode(in);
  }
  t.root = decode_item(in, t.calls.size(), 0);
  t.timing = Timing::decode(in);
  if (t.timing.mode != TimeMode::none && in.affords<CallTimes>(t.calls.size()))
    t.times.resize(t.calls.size());
  TimesReader times(in, t.timing, t.calls.size(), t.streams());
  for (CallTimes& c : t.times) {
    if (!in.failed()) c = times.read();
  }
  if (!in.failed() && !in.at_end()) t.sections = decode_sections(in);
  if (!in.failed() && !in.at_end()) in.fail("data behind the end");
  return t;
}

std::uint64_t checksum(std::uint8_t version, std::span<const std::uint8_t> body) {
  return hash_bytes(body.data(), body.size(), version);
}

Error bad_file(const std::string& name, const std::string& why) {
  return {name + " cannot be read (" + printable(why) + "); copy it again, or record it again"};
}

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

// What a frame holds. Memory grows with what comes out of it, up to what its header says, which is
// not believed beyond what a file of its size may hold.
Result<std::vector<std::uint8_t>> unpack(std::span<const std::uint8_t> frame,
                                         const std::string& name) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 16;
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxBody)
    return bad_file(name, "its compressed part is damaged");
  if (size > kBodyAllowance.of(frame.size()))
    return bad_file(name, "it claims to hold more than a trace of its size does");
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  if (!stream) return bad_file(name, "there is not enough memory");
  std::vector<std::uint8_t> out;
  ZSTD_inBuffer from{frame.data(), frame.size(), 0};
  for (std::size_t left = 1; left > 0;) {
    const std::size_t before = out.size();
    const std::size_t wanted = std::max<std::size_t>(kFirst, before);
    out.reserve(before + std::min<std::size_t>(wanted, size - before));
    out.resize(std::min<std::size_t>(size, out.capacity()));
    ZSTD_outBuffer to{out.data(), out.size(), before};
    const std::size_t read_before = from.pos;
    left = ZSTD_decompressStream(stream.get(), &to, &from);
    out.resize(to.pos);
    if (ZSTD_isError(left))
      return bad_file(name, std::string("decompression failed: ") + ZSTD_getErrorName(left));
    if (left > 0 && to.pos == before && from.pos == read_before)
      return bad_file(name, "its compressed part ends early");
  }
  if (out.size() != size || from.pos != frame.size())
    return bad_file(name, "its compressed part is not as long as it says");
  return out;
}

Error unwritten(const std::string& path, const Error& why) {
  return {"the trace " + path + " cannot be written (" + why.message +
          "); make room, or choose another file"};
}

// Why a file with sections is not what the caller wants.
std::optional<Error> refusal(const Trace& trace, const std::string& name, Accept accept) {
  bool is_scalable = false;
  for (const Section& s : trace.sections) {
    is_scalable = is_scalable || s.name == kLawsSection;
    if (s.name != kLawsSection && s.name != kUnfinishedSection && s.name != kRankSection) {
      return Error{name + " has a section that this program does not know (" + s.name +
                   "); use a newer reprise"};
    }
  }
  for (const std::string& problem : {problem_of_unfinished(trace), problem_of_rank(trace)}) {
    if (!problem.empty()) return bad_file(name, problem);
  }
  if (!is_scalable || accept == Accept::scalable_too) return std::nullopt;
  return Error{name +
               " is a scalable trace (it holds laws for any number of ranks, and the calls of "
               "none); make a trace of it with `reprise extrapolate " +
               name + " --ranks P`"};
}

}  // namespace

bool is_part(std::span<const std::uint8_t> data) {
  return data.size() >= kPartMagic.size() &&
         std::equal(kPartMagic.begin(), kPartMagic.end(), data.begin());
}

std::vector<std::uint8_t> encode_body(const Trace& trace) {
  ByteWriter out;
  encode_trace_body(out, trace);
  return out.take();
}

Result<Trace> decode_body(std::span<const std::uint8_t> body, const std::string& name,
                          std::uint64_t memory) {
  ByteReader in(body.data(), body.size());
  in.limit_memory(memory);
  Trace trace = decode_trace_body(in);
  if (in.failed()) return bad_file(name, in.problem());
  return trace;
}

Result<std::vector<std::uint8_t>> pack_body(std::span<const std::uint8_t> body,
                                            std::uint8_t version) {
  if (body.size() > kMaxBody) {
    return Error{"the trace is too large (" + std::to_string(body.size()) +
                 " bytes before compression, of which a reader takes " + std::to_string(kMaxBody) +
                 "); record with --time stats, --callpaths site or --merge none"};
  }
  std::vector<std::uint8_t> packed(ZSTD_compressBound(body.size()));
  // Beyond some kilobytes the highest level takes ten times as long for a hundredth.
  const int level = body.size() < kSmallBody ? 19 : 12;
  const std::size_t n =
      ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), level);
  if (ZSTD_isError(n))
    return Error{std::string("the trace cannot be compressed (") + ZSTD_getErrorName(n) + ")"};
  packed.resize(n);
  ByteWriter out;
  out.raw(kMagic, sizeof kMagic);
  out.byte(version);
  out.fixed64(checksum(version, packed));
  out.raw(packed.data(), packed.size());
  return out.take();
}

Result<std::vector<std::uint8_t>> encode_trace(const Trace& trace) {
  return pack_body(encode_body(trace), trace.sections.empty() ? kFormatVersion : kSectionsVersion);
}

Result<Trace> decode_trace(std::span<const std::uint8_t> data, const std::string& name,
                           Accept accept) {
  if (is_part(data)) {
    return Error{name +
                 " is a part of a trace (an interrupted run left it); make a trace of all its "
                 "parts with `reprise merge`"};
  }
  if (data.size() < sizeof kMagic || !std::equal(kMagic, kMagic + sizeof kMagic, data.begin())) {
    return Error{name +
                 " is not a trace (it does not begin with \"REPRISE\"); give a file that "
                 "`reprise record` wrote"};
  }
  if (data.size() < kHeader) return bad_file(name, "the file ends within its header");
  const std::uint8_t version = data[sizeof kMagic];
  ByteReader header(data.data() + sizeof kMagic + 1, 8);
  const std::uint64_t expected = header.fixed64();
  const auto body = data.subspan(kHeader);
  if (version != kFormatVersion && version != kSectionsVersion) {
    return Error{name + " has version " + std::to_string(version) +
                 " of the format (this program reads versions " + std::to_string(kFormatVersion) +
                 " and " + std::to_string(kSectionsVersion) + "); " +
                 (version > kSectionsVersion ? "use a newer reprise"
                                             : "use the reprise that wrote it, or record again")};
  }
  if (checksum(version, body) != expected) {
    return bad_file(name, "its checksum is wrong: the file is damaged or was cut short");
  }
  const auto raw = unpack(body, name);
  if (!raw) return raw.error();
  auto trace = decode_body(*raw, name, kMemoryAllowance.of(body.size()));
  if (!trace) return trace;
  if (trace->sections.empty() != (version == kFormatVersion)) {
    return bad_file(name, "its version and its sections do not go together");
  }
  if (auto refused = refusal(*trace, name, accept)) return std::move(*refused);
  return trace;
}

Status write_trace(const Trace& trace, const std::string& path) {
  const auto encoded = encode_trace(trace);
  if (!encoded) return Error{path + " cannot be written (" + encoded.error().message + ")"};
  const Status written = write_file(path, *encoded);
  if (!written) return unwritten(path, written.error());
  return {};
}

Result<bool> write_new_trace(const Trace& trace, const std::string& path) {
  const auto encoded = encode_trace(trace);
  if (!encoded) return Error{path + " cannot be written (" + encoded.error().message + ")"};
  const auto written = write_new_file(path, *encoded);
  if (!written) return unwritten(path, written.error());
  return *written;
}

Result<Trace> read_trace(const std::string& path, Accept accept) {
  const auto data = read_file(path, std::string_view(kMagic, sizeof kMagic),
                              kHeader + ZSTD_compressBound(kMaxBody));
  if (!data) return Error{data.error().message + "; check its name and permissions"};
  return decode_trace(*data, path, accept);
}

}  // namespace reprise::trace
