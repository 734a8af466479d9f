// The numbers of ranks, and of each declared size of the problem, for which laws hold.
//
// A law that explains the inputs may be one of several that differ at other numbers: properties
// that all inputs share, such as being squares, are not evidence. A scalable trace therefore has
// the numbers for which the laws were found to be determined, and is not valid on others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reprise::program {

// Natural numbers of one kind.
struct NumberClass {
  enum class Shape : std::uint8_t {
    any,
    square,        // k * k
    twice_square,  // 2 * k * k
    oblong,        // k * (k + 1)
    cube,          // k * k * k
    power_of_two
  };
  static constexpr std::uint8_t kShapes = 6;

  Shape shape = Shape::any;
  std::int64_t multiple_of = 1;  // at least 1

  bool contains(std::int64_t number) const;
  // The least of them from `first` to `last`, if there is one. Cost: last - first.
  std::optional<std::int64_t> next(std::int64_t first, std::int64_t last) const;
  // "all numbers", "multiples of 4", "square numbers that are multiples of 4".
  std::string describe() const;

  bool operator==(const NumberClass&) const = default;
};

// The classes that contain all of the numbers, the widest first. REQUIRES: numbers, all of them >
// 0.
std::vector<NumberClass> classes_of(std::span<const std::int64_t> numbers);

// The numbers of a class between two of them, both included.
struct Range {
  NumberClass numbers;
  std::int64_t least = 1, most = 1;

  bool contains(std::int64_t number) const {
    return least <= number && number <= most && numbers.contains(number);
  }
  // "square numbers from 4 to 1024", "128 alone".
  std::string describe() const;

  bool operator==(const Range&) const = default;
};

struct Domain {
  Range ranks;
  std::vector<Range> parameters;  // in the order of the problem's

  bool operator==(const Domain&) const = default;
};

}  // namespace reprise::program
