// A trace as flat lists of steps, one for each rank: what the formats of other simulators have.
// Communicators and tags are one number, wildcards whom they met, collectives messages, or meetings
// for formats that have them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulate/results/result.hpp"

namespace reprise::convert {

struct Step {
  enum class Do : std::uint8_t {
    compute,  // span
    send,     // peer, tag, number, bytes
    receive,  // the same: of the message that it met
    wait,     // operation; and peer, tag, number, bytes of it
    meet,     // kind, peer: the communicator; bytes: sent, received
  } what{};
  bool is_blocking = false;     // of a send or a receive: the step behind it waits for it
  bool is_synchronous = false;  // of a send: it waits for its receive whatever its size
  bool is_of_send = false;      // of a wait: what it ends
  bool is_root = false;         // of a meeting: the sizes of this rank count
  std::uint8_t kind = 0;        // of a meeting: a Collective, or kMaking
  std::uint32_t peer = 0;       // rank
  std::uint32_t tag = 0;        // one number for each communicator and tag
  std::uint32_t number = 0;     // of the message, among those from its sender to its receiver
  std::int64_t bytes = 0;       // of a message; of a meeting: that this rank sends
  std::int64_t received = 0;    // of a meeting [bytes]
  std::int64_t span = 0;        // of a computation [ns]
  std::uint64_t operation = 0;  // of a wait: the step of its rank that it ends

  // Meetings that make something, and those that take no time.
  static constexpr std::uint8_t kMaking = 254, kFree = 255;
};

// The steps of all ranks: in a file, but for the last few of each.
class Steps {
 public:
  // A file beside `path`, which is gone when this is. Null: there can be none.
  static std::unique_ptr<Steps> beside(const std::string& path, std::uint64_t ranks);
  ~Steps();
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  std::uint64_t ranks() const { return of_.size(); }
  std::uint64_t size(std::uint64_t rank) const { return of_[rank].size; }
  void add(std::uint64_t rank, const Step& step);
  Step at(std::uint64_t rank, std::uint64_t index) const;
  void put(std::uint64_t rank, std::uint64_t index, const Step& step);
  // Of a rank, in order. REQUIRES: nothing is added meanwhile.
  class Reader;

  std::vector<std::vector<std::uint32_t>> communicators;  // members of those that meet

  // errno where not all of it could be kept, or read again; else 0.
  int error() const { return error_; }

 private:
  static constexpr std::uint64_t kChunk = 32;  // steps that are written at once
  struct OfRank {
    std::uint64_t size = 0;
    std::vector<std::uint64_t> chunks;  // where those are that are written
    std::vector<Step> last;
  };

  Steps(std::FILE* file, std::uint64_t ranks) : file_(file), of_(ranks) {}
  bool seek(std::uint64_t at) const;
  // Remembers why the first access failed.
  void check(bool is_done) const;

  std::FILE* file_;
  std::vector<OfRank> of_;
  std::uint64_t written_ = 0;
  mutable int error_ = 0;
};

// Reads the steps of a rank one after the other, as far ahead as is asked for.
class Steps::Reader {
 public:
  // REQUIRES: the steps outlive it.
  Reader(const Steps& steps, std::uint64_t rank) : steps_(steps), rank_(rank) {}

  bool has(std::uint64_t index) const { return index < steps_.size(rank_); }
  // The reference is good until the next one is asked for.
  const Step& at(std::uint64_t index);

 private:
  const Steps& steps_;
  const std::uint64_t rank_;
  std::vector<Step> chunk_;
  std::uint64_t first_ = 0;  // of the chunk
};

// Told how many ranks have been written.
using RanksWritten = std::function<void(std::uint64_t)>;

struct Collecting {
  bool has_meetings = false;  // the format has collectives, and what makes communicators
  simulate::Options options = {};
};

// Collects them from a simulation into `out`. Without meetings, collectives are messages by their
// algorithms whatever the machine says, and the making of communicators and windows what it
// exchanges, or else an allreduce of 8 bytes. An error: what is one-sided, or several threads for a
// rank, which no such list has, or a collective that does not block and is a meeting.
// Memory: what is under way.
Status collect(const trace::Trace& trace, const simulate::Machine& machine, const Collecting& how,
               Steps& out);

}  // namespace reprise::convert
