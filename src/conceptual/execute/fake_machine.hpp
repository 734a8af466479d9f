// For tests: a machine that writes down what a program asks of it, a line each.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "conceptual/execute.hpp"
#include "conceptual/execute/machine.hpp"
#include "conceptual/parameters.hpp"
#include "conceptual/parse.hpp"

namespace reprise::conceptual {

// More was asked for than a test is to wait for.
struct TooMuch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FakeMachine : public Machine {
 public:
  FakeMachine(std::int64_t rank, std::int64_t ranks, std::size_t most = 10000)
      : rank_(rank), ranks_(ranks), most_(most) {}

  std::vector<std::string> lines;
  std::vector<std::string> printed;
  std::string log;

  std::int64_t rank() const override { return rank_; }
  std::int64_t ranks() const override { return ranks_; }
  std::int64_t max_tag() const override { return 32767; }
  std::size_t pending() const override { return pending_; }

  std::int64_t execute(const Operation& o) override {
    for (std::int64_t i = 0; i < o.times; ++i) {
      add(text(o));
      if (o.asynchronous) ++pending_;
    }
    return 0;
  }
  std::int64_t wait_all() override {
    add("wait " + std::to_string(pending_));
    pending_ = 0;
    return 0;
  }
  void synchronize() override { add("barrier of all"); }
  std::int64_t least(std::int64_t value) override { return value; }
  std::int64_t now_us() override {
    if (++asked_ > 100 * most_) throw TooMuch("time");
    return now_;
  }
  void sleep_us(std::int64_t us) override { add("sleep " + std::to_string(us)), pass(us); }
  void spin_us(std::int64_t us) override { add("spin " + std::to_string(us)), pass(us); }
  void print(const std::string& line) override { printed.push_back(line), add("print"); }

 private:
  static std::string list(const auto& numbers) {
    std::string out;
    for (const auto n : numbers) out += (out.empty() ? "" : ",") + std::to_string(n);
    return out;
  }

  static std::string text(const Operation& o) {
    const std::string bytes = std::to_string(o.bytes), peer = std::to_string(o.peer);
    const std::string tag = o.tag ? " tag " + std::to_string(o.tag) : "";
    const std::string among = o.members ? " among " + list(*o.members) : "";
    switch (o.kind) {
      case Operation::Kind::receive:
        return (o.asynchronous ? "irecv " : "recv ") + bytes + " from " + peer + tag;
      case Operation::Kind::send:
        return (o.asynchronous ? "isend " : "send ") + bytes + " to " + peer + tag;
      case Operation::Kind::barrier: return "barrier" + among;
      case Operation::Kind::broadcast: return "bcast " + bytes + " root " + peer + among;
      case Operation::Kind::alltoall: return "alltoall " + bytes + among;
      case Operation::Kind::alltoallv:
        return "alltoallv " + list(o.sent) + " / " + list(o.received) + among;
      case Operation::Kind::reduce: return "reduce " + bytes + " root " + peer + among;
      case Operation::Kind::allreduce: return "allreduce " + bytes + among;
    }
    return "";
  }

  void add(std::string line) {
    if (lines.size() >= most_) throw TooMuch("operations");
    lines.push_back(std::move(line));
  }
  void pass(std::int64_t us) {
    if (us > (std::int64_t{1} << 50)) throw TooMuch("time");
    now_ += us;
  }

  std::int64_t rank_, ranks_;
  std::size_t most_, asked_ = 0, pending_ = 0;
  std::int64_t now_ = 1000;
};

// Runs a program on a fake machine as one rank. Throws Problem.
inline void run_on(const Program& program, const Arguments& arguments, FakeMachine& machine) {
  Execution execution;
  execution.parameters = arguments.values;
  execution.most_statements = 100000;
  execution.write_log = [&](const std::string& table) { machine.log += table; };
  execution.comment = [](const std::string& name) { return "<" + name + ">"; };
  Executor(program, machine, execution).run();
}

}  // namespace reprise::conceptual
