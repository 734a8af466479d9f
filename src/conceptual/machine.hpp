// What a coNCePTuaL program does, as one of its tasks sees it: behind this stands MPI, or a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::conceptual {

enum class Completion : std::uint8_t {
  at_once,  // the call ends when the message has gone, or has come
  later,    // by the next `await_all`
};

// Bytes from each member of a group to each other one. [bytes]
struct Exchange {
  std::vector<std::int64_t> members;   // tasks, ascending
  std::vector<std::int64_t> outgoing;  // of this task, by member
  std::vector<std::int64_t> incoming;
  bool is_uniform = false;  // all members send as much to all, themselves included
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::int64_t task() const = 0;
  virtual std::int64_t tasks() const = 0;

  virtual void send(std::int64_t to, std::int64_t bytes, std::int64_t tag, Completion when) = 0;
  virtual void receive(std::int64_t from, std::int64_t bytes, std::int64_t tag,
                       Completion when) = 0;
  virtual void await_all() = 0;

  // Collectives of the tasks in `members`, ascending; this task is one of them.
  virtual void synchronize(const std::vector<std::int64_t>& members) = 0;
  virtual void broadcast(const std::vector<std::int64_t>& members, std::int64_t root,
                         std::int64_t bytes) = 0;
  virtual void exchange(const Exchange& exchange) = 0;
  // `count` elements of `unit` bytes, 4 or 8. root < 0: everybody gets the result.
  virtual void reduce(const std::vector<std::int64_t>& members, std::int64_t root,
                      std::int64_t count, std::int64_t unit) = 0;

  // [us]
  virtual void compute(std::int64_t us) = 0;
  virtual void sleep(std::int64_t us) = 0;
  virtual std::int64_t now_us() = 0;

  virtual void print(const std::string& text) = 0;
};

}  // namespace reprise::conceptual
