// The calls of one thread of a Paraver trace, told to the stream that they become.
//
// Events say which function was entered and left. Messages are records of their own, which say when
// they were sent, when the receive was posted, and when it was completed: they belong to the call
// that was open then and that can have done it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "convert/import/rank.hpp"
#include "convert/paraver/names.hpp"
#include "convert/paraver/records.hpp"

namespace reprise::convert::paraver {

// The frames of all threads, by the numbers of their functions and lines.
class CallerRegions {
 public:
  explicit CallerRegions(const Names& names) : names_(names) {}

  RegionIndex index(std::int64_t function, std::int64_t line);
  const std::vector<SourceRegion>& regions() const { return regions_; }

 private:
  const Names& names_;
  std::map<std::pair<std::int64_t, std::int64_t>, RegionIndex> known_;
  std::vector<SourceRegion> regions_;
};

// How many collectives a rank has entered on each communicator.
using CollectiveCounts = std::map<CommIndex, std::uint64_t>;

class ThreadCalls {
 public:
  struct Source {
    const Records& records;
    const SourceComms& comms;
    const Names& names;
  };
  // What the threads of a rank share.
  struct Rank {
    RegionPaths& paths;
    LossCounts& losses;
    CollectiveCounts& collectives;
  };

  // REQUIRES: all outlive it.
  ThreadCalls(const Source& source, CallerRegions& regions, const Rank& rank, CallStream& stream,
              std::uint32_t task)
      : source_(source), regions_(regions), rank_(rank), stream_(stream), task_(task) {}

  // The records of the thread, in order.
  void take(const Record& record);
  void finish();

 private:
  struct OpenCall {
    std::optional<trace::FunctionId> function;  // none: one that traces do not have
    std::uint32_t type = 0;
    std::int64_t begin = 0;
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> frames;  // by level
    CollectiveBuffers buffers;
    bool is_root = false;
    std::optional<std::int64_t> comm;  // by id
  };

  void take_event(const Record& record);
  void take_detail(std::uint32_t type, std::int64_t value);
  void close(std::int64_t end);
  std::uint32_t path();
  void tell_messages(const trace::Function& function, std::int64_t end);
  // How many there were, at most `most`.
  std::size_t tell_sent(const trace::Function& function, std::size_t most);
  void tell_posted(std::size_t most);
  void tell_received(std::int64_t end);
  void tell_completed(bool is_single);
  std::optional<std::pair<CommIndex, std::uint64_t>> count_collective();
  void tell_collective(const trace::Function& function, CommIndex comm, std::uint64_t number);
  void drop_before(std::int64_t begin);
  static Message message_of(const Record& record);

  const Source source_;
  CallerRegions& regions_;
  const Rank rank_;
  CallStream& stream_;
  const std::uint32_t task_;
  std::optional<OpenCall> open_;
  // Not told yet, in order of time.
  std::deque<Record> sent_, posted_, completed_;
  std::unordered_map<std::uint64_t, std::uint64_t> pending_;  // by message: how many were before it
  std::uint64_t receives_ = 0;
};

}  // namespace reprise::convert::paraver
