#include "base/build_id.hpp"

#include <elf.h>

#include <cstring>

namespace reprise {
namespace {

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

}  // namespace

std::string build_id_in(std::span<const std::uint8_t> notes) {
  for (std::uint64_t at = 0;;) {
    Elf64_Nhdr note;  // the same for 32 and 64 bits
    if (at > notes.size() || notes.size() - at < sizeof note) return {};
    std::memcpy(&note, notes.data() + at, sizeof note);
    const auto padded = [](std::uint64_t n) { return (n + 3) & ~std::uint64_t{3}; };
    const std::uint64_t name = at + sizeof note;
    const std::uint64_t content = name + padded(note.n_namesz);
    const std::uint64_t end = content + padded(note.n_descsz);
    if (end > notes.size()) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data() + name, "GNU", 4) == 0) {
      return hexadecimal(notes.subspan(content, note.n_descsz));
    }
    at = end;
  }
}

}  // namespace reprise
