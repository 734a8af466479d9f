// A program or library on disk: its machine code by address, and the bounds of its functions.
// What is read is untrusted: every offset is checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/program.hpp"

namespace reprise::code {

// Addresses count from the module's load address [bytes], as offsets of frames do.
struct Bounds {
  std::uint64_t begin = 0, end = 0;  // half-open

  bool holds(std::uint64_t address) const { return address >= begin && address < end; }
  auto operator<=>(const Bounds&) const = default;
};

class Binary {
 public:
  // Nothing if the file cannot be mapped, is no 64-bit x86 ELF file, or has another build id than
  // the module (hexadecimal; empty: any).
  static std::optional<Binary> open(const trace::Module& module);
  Binary(Binary&& other) noexcept;
  Binary& operator=(Binary&&) = delete;
  ~Binary();

  // The bounds of the function, or of the part of one, that an address lies in, from the unwind
  // table (.eh_frame_hdr), which stripped programs have as well.
  std::optional<Bounds> function_at(std::uint64_t address) const;

  // Where in the function that an address lies in the stack is as it was when that was entered,
  // from the unwind table: a jump from there to an unknown place is a tail call. In order; none
  // where it is not known. Cost: what the table has of the function.
  std::vector<Bounds> with_entry_stack(std::uint64_t address) const;

  // Where a function continues if an exception leaves one of the calls that begin within the
  // bounds.
  struct LandingPad {
    Bounds calls;
    std::uint64_t address = 0;
  };
  // The landing pads of the function, or part of one, that begins at an address, in the order of
  // their calls. Empty if its exception table is missing or not understood. Cost: O(n) for n
  // entries of that table.
  std::vector<LandingPad> landing_pads(std::uint64_t begin) const;

  // The function of this binary that the dynamic linker puts the address of into a slot, as it does
  // where position-independent code calls a function that another library might replace. Nothing if
  // the slot is of a function elsewhere, or of something else.
  std::optional<std::uint64_t> function_of_slot(std::uint64_t slot) const;

  // The name of the function of another binary that the dynamic linker puts the address of into a
  // slot: "MPI_Waitall". Empty if it is a function of this one, or something else.
  // It lies in the file, which is open as long as this.
  std::string_view imported_by_slot(std::uint64_t slot) const;

  // At most `size` bytes from an address on, fewer where the file has no more there.
  struct Extent {
    std::uint64_t address, size;
  };
  std::span<const std::uint8_t> bytes(Extent extent) const;

 private:
  struct Segment {
    std::uint64_t address, offset, size;  // in the file [bytes]
  };
  struct Function {
    std::uint64_t begin;
    std::uint64_t description;  // address of its entry in .eh_frame
  };

  Binary() = default;
  struct Slot {
    std::uint64_t address;
    std::uint64_t function;  // 0: of another binary
    std::uint64_t name;      // where it lies
  };

  bool read_headers(const std::string& build_id);
  void read_function_table(std::uint64_t header);
  void read_slots(std::uint64_t dynamic, std::uint64_t size);
  const Slot* find_slot(std::uint64_t address) const;
  // What the unwind table says of a function, and how its instructions begin.
  struct Description {
    std::uint64_t size = 0;                     // of the function [bytes]
    std::uint64_t code_alignment = 1;           // unit of steps [bytes]
    std::span<const std::uint8_t> common, own;  // instructions of all such functions, of this one
    std::uint64_t exceptions = 0;               // address of its table of exceptions; 0: none
  };
  const Function* find_function(std::uint64_t address) const;
  std::optional<Description> describe(const Function& function) const;
  template <class T>
  std::optional<T> value(std::uint64_t address) const;

  std::span<const std::uint8_t> file_;
  std::vector<Segment> segments_;
  std::vector<Function> functions_;  // by address
  std::vector<Slot> slots_;          // by address
};

}  // namespace reprise::code
