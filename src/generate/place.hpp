// How often a place in the program has been passed before, in terms of the loops around it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::generate {

// A number of mixed radix whose digits are the indices of loops, the outermost first: three times
// within each of twenty is i0 * 3 + i1. Where trip counts vary there is no such number, and a
// counter has to be kept.
class Place {
 public:
  // Passed once.
  static Place once() { return Place(true); }
  static Place counted() { return Place(false); }

  // Within a loop of so many trips with this index, that stands here.
  Place within(const std::string& index, std::int64_t trips) const;
  // The same where the trips differ between ranks: known if this place is passed once only.
  Place within_varying(const std::string& index) const;

  // Within a condition that holds every so many times.
  Place every(std::int64_t period) const;

  bool is_known() const { return known_; }
  // Whether the loops tell it within periods of so many, if not altogether.
  bool is_known_within(std::int64_t period) const {
    return known_ || (period > 1 && cut(period) != digits_.end());
  }
  bool is_once() const { return known_ && digits_.empty(); }

  // C expressions, with parentheses if they have operators. REQUIRES: is_known(), or of the
  // remainder is_known_within(period).
  std::string text() const;
  std::string remainder(std::int64_t period) const;
  std::string quotient(std::int64_t period) const;

 private:
  struct Digit {
    std::string index;
    std::int64_t radix;  // 0: without end
  };

  explicit Place(bool known) : known_(known) {}
  // Which digits are what is left over from a division, if it cuts between two; else none.
  std::vector<Digit>::const_iterator cut(std::int64_t period) const;
  static std::string text(std::vector<Digit>::const_iterator from,
                          std::vector<Digit>::const_iterator to);

  bool known_;
  std::vector<Digit> digits_;
};

}  // namespace reprise::generate
