// Messages dealt out to ranks in proportion to their loads. If the turns of a rank are equal parts
// of all messages, the next message goes to the rank whose present turn is half over first:
// Webster's apportionment, message by message. Of any n messages in a row each of n ranks with
// equal loads has one.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise::trace {

class Deal {
 public:
  // `loads`: by rank. REQUIRES: one is not 0; twice a load times the messages is below 2^63.
  explicit Deal(const std::vector<std::int64_t>& loads);

  // The rank that has the next message. Cost: O(log ranks).
  std::int64_t next();

 private:
  struct Turn {
    std::int64_t rank, load;
    std::int64_t dealt;  // messages
  };
  // Whether a turn is half over later than another one; where both are at once, that of the higher
  // rank.
  static bool is_later(const Turn& a, const Turn& b);

  std::vector<Turn> turns_;  // a heap, the next turn in front
};

}  // namespace reprise::trace
