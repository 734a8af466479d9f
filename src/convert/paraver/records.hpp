// The records of a Paraver trace as what happened on each thread: the file has those of all threads
// by time, messages where they were sent.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "convert/import/finish.hpp"
#include "convert/paraver/header.hpp"
#include "convert/sorter.hpp"

namespace reprise::convert::paraver {

struct Record {
  // What happens at one time stands in this order: the call that ends then had it.
  enum class Kind : std::uint32_t { sent, posted, completed, event };

  std::uint32_t task = 0, thread = 0;  // from 0 on
  std::int64_t time = 0;               // [ns]
  Kind kind{};
  std::uint32_t place = 0;   // of an event, in its line: entering and leaving calls come first
  std::int64_t order = 0;    // among those of one time and kind
  std::uint64_t number = 0;  // of the line; for messages their name
  // sent: task that receives, tag, bytes
  // posted, completed: task that sent, tag, bytes
  // event: type, value
  std::array<std::int64_t, 3> values{};

  bool operator<(const Record& other) const {
    const auto key = [](const Record& r) {
      // Messages of one time have no order but this, whatever the clocks of the other ranks say.
      const bool is_event = r.kind == Kind::event;
      const std::int64_t peer = is_event ? 0 : r.values[0], tag = is_event ? 0 : r.values[1];
      return std::tuple(r.task, r.thread, r.time, r.kind, r.order, peer, tag, r.number, r.place);
    };
    return key(*this) < key(other);
  }
};

// Who is the root of the collectives of each communicator, which only the root says: processes call
// those of a communicator in one order.
class Roots {
 public:
  void set(CommIndex comm, std::uint64_t number, std::uint32_t task) {
    auto& list = roots_[comm];
    if (list.empty() || list.back().second != task) list.emplace_back(number, task);
  }
  // Of the communicator's collective `number`. Without one that says so, task 0.
  std::uint32_t at(CommIndex comm, std::uint64_t number) const;

 private:
  // From which collective on a task is the root, until the next one. In order.
  std::map<CommIndex, std::vector<std::pair<std::uint64_t, std::uint32_t>>> roots_;
};

struct Records {
  explicit Records(const std::string& scratch) : sorter(scratch) {}

  Header header;
  Roots roots;
  Sorter<Record> sorter;  // sorted
  std::uint64_t size = 0;
};

// Reads the file once. Records that do not fit into memory are sorted in a file `scratch`. The
// error says which line makes no sense. `progress`: of the bytes of the file.
Status read_records(const std::string& path, const ImportProgress& progress, Records& out);

}  // namespace reprise::convert::paraver
