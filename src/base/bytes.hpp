// Bytes in and out: the primitives that every encoder of the trace format is made of.
//
//   varint : little-endian base-128, the high bit of a byte says that another follows; 1..10 bytes
//   signed : varint of zigzag(value), so that small magnitudes are short
//   text   : varint length, then that many bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

inline std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}

inline std::int64_t unzigzag(std::uint64_t u) {
  return static_cast<std::int64_t>(u >> 1) ^ -static_cast<std::int64_t>(u & 1);
}

class ByteWriter {
 public:
  void byte(std::uint8_t b) { bytes_.push_back(b); }

  void varint(std::uint64_t v) {
    while (v >= 0x80) {
      bytes_.push_back(static_cast<std::uint8_t>(v | 0x80));
      v >>= 7;
    }
    bytes_.push_back(static_cast<std::uint8_t>(v));
  }

  void signed_varint(std::int64_t v) { varint(zigzag(v)); }

  void text(std::string_view s) {
    varint(s.size());
    raw(s.data(), s.size());
  }

  void fixed64(std::uint64_t v) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  }

  void raw(const void* data, std::size_t size) {
    const auto* p = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), p, p + size);
  }

  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Reads untrusted bytes. The first failure is sticky: every later read yields zero, and `problem`
// says what was wrong at which offset. Callers check once, after a whole structure.
class ByteReader {
 public:
  ByteReader(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t byte() {
    if (at_ >= size_) return fail("the data ends early"), 0;
    return data_[at_++];
  }

  std::uint64_t varint() {
    std::uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte();
      if (failed()) return 0;
      if (shift == 63 && b > 1) return fail("a number is too large"), 0;
      v |= static_cast<std::uint64_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    return fail("a number is too long"), 0;
  }

  std::int64_t signed_varint() { return unzigzag(varint()); }

  // A count of things that each take at least `unit` [bytes] of what is left: a bound on memory.
  std::size_t count(std::size_t unit = 1) {
    const std::uint64_t n = varint();
    if (!failed() && n > (size_ - at_) / unit) return fail("a count exceeds the data"), 0;
    return failed() ? 0 : static_cast<std::size_t>(n);
  }

  // The same of things that become a T each, where memory is limited.
  template <class T>
  std::size_t count_of(std::size_t unit = 1) {
    const std::size_t n = count(unit);
    return affords<T>(n) ? n : 0;
  }

  // Whether there is memory for n more T; fails if not.
  template <class T>
  bool affords(std::uint64_t n) {
    if (failed()) return false;
    if (n > memory_ / sizeof(T)) return fail("it takes more memory than its size warrants"), false;
    memory_ -= n * sizeof(T);
    return true;
  }

  // What all that is read may take in memory [bytes]; as much as it wants if that is not said.
  void limit_memory(std::uint64_t bytes) { memory_ = bytes; }

  std::string text() {
    const std::size_t n = count();
    if (failed()) return {};
    std::string s(reinterpret_cast<const char*>(data_ + at_), n);
    at_ += n;
    return s;
  }

  std::uint64_t fixed64() {
    std::uint64_t v = 0;
    for (int i = 0; i < 8; ++i) v |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return failed() ? 0 : v;
  }

  void fail(std::string_view why) {
    if (failed()) return;
    problem_ = std::string(why) + " at byte " + std::to_string(at_);
  }

  bool failed() const { return !problem_.empty(); }
  bool at_end() const { return at_ == size_; }
  std::size_t offset() const { return at_; }
  const std::string& problem() const { return problem_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::uint64_t memory_ = ~std::uint64_t{0};
  std::string problem_;
};

}  // namespace reprise
