// What a rank does, in the few kinds that a timeline has colors for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulate/machine/units.hpp"
#include "trace/program.hpp"

namespace reprise::report {

using simulate::Picoseconds;

enum class Kind : std::uint8_t {
  compute,         // between two calls
  point_to_point,  // sends and receives
  wait,            // for requests and messages: MPI_Wait, MPI_Test, MPI_Probe and their like
  collective,
  one_sided,
  file,
  other,  // MPI_Init, communicators, datatypes
};
inline constexpr std::size_t kKinds = 7;

// "computation", "point-to-point", and so on, as the legend has them.
std::string_view name_of(Kind kind);
// Of a call of this function.
Kind kind_of(const trace::Function& function);

// Time by kind [ps], and how much of it is at calls that are selected, with the computation before
// them. Integers, so that sums do not depend on the order of adding.
struct Shares {
  std::array<Picoseconds, kKinds> kinds{};
  Picoseconds selected = 0;

  Shares& add(const Shares& other, Picoseconds times = 1) {
    for (std::size_t k = 0; k < kKinds; ++k) kinds[k] += times * other.kinds[k];
    selected += times * other.selected;
    return *this;
  }
  void add(Kind kind, Picoseconds time, bool is_selected) {
    kinds[static_cast<std::size_t>(kind)] += time;
    if (is_selected) selected += time;
  }
};

// What is known of each call beforehand.
struct CallKinds {
  explicit CallKinds(const trace::Trace& trace);

  std::vector<Kind> kinds;     // by call
  std::vector<bool> selected;  // by call
};

// A call on one stream with the computation before it [ps].
struct Span {
  std::uint32_t call = 0;
  Picoseconds begin = 0, compute = 0, communicate = 0;

  Picoseconds enters() const { return begin + compute; }
  Picoseconds end() const { return begin + compute + communicate; }
};

}  // namespace reprise::report
