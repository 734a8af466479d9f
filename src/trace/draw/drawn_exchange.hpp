// Messages between all ranks that are drawn from distributions, in place of recorded ones: how
// many, who sends to whom, how large. All ranks draw the same messages from one seed, so that what
// one sends another receives. Programs draw them too, in other languages, by the same rule
// (src/write/c/runtime/exchange.h): it calculates with whole numbers alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/draw/deal.hpp"

namespace reprise::trace {

struct DrawnExchange {
  static constexpr std::uint32_t kNoCall = ~std::uint32_t{0};

  // Messages of some rounds.
  struct Flow {
    // By rank, or, if loads move, from the busiest rank on: how many messages it sends or receives
    // in proportion to the others. REQUIRES: as many as ranks; some are not 0.
    std::vector<std::int64_t> senders, receivers;
    // The means of equal shares of all sizes, ascending [bytes]. REQUIRES: one at least.
    std::vector<std::int64_t> sizes;
    std::int64_t together = 1;  // messages that one sender has for one receiver
  };

  // Calls of the trace: MPI_Irecv, MPI_Isend, MPI_Test, MPI_Wait, MPI_Waitall; or MPI_Recv,
  // MPI_Send, MPI_Iprobe.
  std::array<std::uint32_t, 5> calls = {kNoCall, kNoCall, kNoCall, kNoCall, kNoCall};
  // In one order of all messages, each sent and received before its rank goes on: the ranks of a
  // message that is the first of those left are both there. Otherwise all of a round are posted,
  // receives first, and then completed.
  bool is_ordered = false;
  std::int64_t tag = 0;
  // Of received messages: how many are polled for until they are there, and how many are waited for
  // one by one [1/1000].
  std::int64_t polls = 0, waits = 0;
  bool moves = false;                  // loads are those of other ranks each time
  std::vector<std::int64_t> messages;  // of one time: the means of equal shares, ascending
  std::vector<std::int64_t> rounds;    // how many messages each has, in proportion
  std::vector<Flow> flows;             // of the rounds in turn
  std::uint64_t seed = 0;

  // How many of a rank's next receives are polled for and how many are waited for one by one,
  // behind `before` others: rounding is carried on.
  struct Completions {
    std::int64_t polled = 0, waited = 0;
  };
  Completions completions(std::int64_t before, std::int64_t received) const {
    const auto dealt = [&](std::int64_t share) {
      return ((before + received) * share + 500) / 1000 - (before * share + 500) / 1000;
    };
    const std::int64_t polled = dealt(polls);
    return {polled, std::min(dealt(waits), received - polled)};
  }
};

struct DrawnMessage {
  std::int64_t sender = 0, receiver = 0;
  std::int64_t bytes = 0;
};

// Draws time by time.
class ExchangeDraw {
 public:
  // REQUIRES: the exchange outlives it; two ranks at least.
  ExchangeDraw(const DrawnExchange& exchange, std::int64_t ranks);

  // The messages of the next time, by round, in order. Cost: messages and ranks of each round.
  std::vector<std::vector<DrawnMessage>> next();

 private:
  std::vector<DrawnMessage> round(std::size_t flow, std::int64_t messages, std::uint64_t key);

  const DrawnExchange& exchange_;
  std::int64_t ranks_;
  std::uint64_t times_ = 0;
  std::vector<std::int64_t> drawn_;        // messages so far, by flow
  std::vector<Deal> senders_, receivers_;  // by flow
};

// A number that looks random, of a number.
std::uint64_t mixed(std::uint64_t x);
// A random order of n.
struct Shuffle {
  std::int64_t n;
  std::uint64_t key;

  // Where the i-th stands. REQUIRES: 0 <= i < n.
  std::int64_t place_of(std::int64_t i) const;
};

}  // namespace reprise::trace
