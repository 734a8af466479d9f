// Packets of a Perfetto trace, in the encoding of Protocol Buffers: messages of numbered fields, by
// the numbers of Perfetto's schema (protos/perfetto/trace).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/output_file.hpp"

namespace reprise::convert::perfetto {

class Message {
 public:
  void number(std::uint32_t field, std::uint64_t value) {
    key(field, 0);
    varint(value);
  }
  void fixed(std::uint32_t field, std::uint64_t value) {
    constexpr int kBytes = 8;
    key(field, 1);
    for (int i = 0; i < kBytes; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xff);
  }
  void text(std::uint32_t field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_ += value;
  }
  void message(std::uint32_t field, const Message& value) { text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void key(std::uint32_t field, std::uint32_t type) { varint(std::uint64_t{field} << 3 | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(0x80 | (value & 0x7f));
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// Trace.packet, one after the other.
class PacketFile {
 public:
  explicit PacketFile(const std::string& path) : file_(path) {}

  void add(const Message& packet) {
    constexpr std::uint32_t kPacket = 1;
    Message trace;
    trace.message(kPacket, packet);
    file_.write(trace.bytes());
  }

  // An error: not all of it could be written.
  Status close() { return file_.close(); }

 private:
  OutputFile file_;
};

}  // namespace reprise::convert::perfetto
