// The numbers that Paraver traces of MPI programs have for types of events and for states, as
// Extrae gives them.
#pragma once

#include <cstdint>

namespace reprise::convert::paraver {

// Types of events whose value is an MPI function where it is entered, and 0 where it is left.
enum class CallType : std::uint32_t {
  point_to_point = 50'000'001,
  collective = 50'000'002,
  other = 50'000'003,
  one_sided = 50'000'004,
  io = 50'000'005,
};

// Types of events where a collective is entered.
inline constexpr std::uint32_t kSentSize = 50'100'001;      // [bytes]
inline constexpr std::uint32_t kReceivedSize = 50'100'002;  // [bytes]
inline constexpr std::uint32_t kRoot = 50'100'003;          // 1, at the root alone
inline constexpr std::uint32_t kCommunicator = 50'100'004;  // as the header numbers it

// Types of events where a call is entered: the function at a level of its call path, and the line
// in it. Level 1 calls MPI.
inline constexpr std::uint32_t kCaller = 70'000'000;
inline constexpr std::uint32_t kCallerLine = 80'000'000;
inline constexpr std::uint32_t kMostLevels = 99;

enum class State : std::uint8_t {
  running = 1,
  not_created = 2,
  receive = 3,
  send = 4,
  probe = 6,
  wait = 8,
  immediate_send = 10,
  immediate_receive = 11,
  io = 12,
  collective = 13,
  other = 15,
  send_and_receive = 16,
  one_sided = 17,
};

}  // namespace reprise::convert::paraver
