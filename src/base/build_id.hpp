// The build id that a linker puts into a program or library (ld --build-id).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace reprise {

// The build id among the notes of an ELF segment (PT_NOTE), in hexadecimal; empty if it has none.
std::string build_id_in(std::span<const std::uint8_t> notes);

}  // namespace reprise
