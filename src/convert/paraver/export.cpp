#include "convert/paraver/export.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>
#include <utility>

#include "convert/flat/message_reader.hpp"
#include "convert/paraver/callers.hpp"
#include "convert/paraver/configuration.hpp"
#include "convert/paraver/mpi_values.hpp"
#include "convert/sorter.hpp"
#include "convert/text_file.hpp"

namespace reprise::convert::paraver {
namespace {

// A line of the trace, before all are sorted by time.
struct Line {
  enum class Kind : std::uint32_t { state, enter, leave, message };

  std::int64_t time = 0;  // [ns]
  std::uint32_t rank = 0;
  Kind kind{};
  std::uint64_t number = 0;  // in the order of the rank's lines
  // state: its end [ns], the State
  // enter: index into Trace::calls; of a collective: sent, received [bytes], communicator, is root
  // leave: index into Trace::calls
  // message: end of the send [ns], receiver, begin and end of the receive [ns], bytes, tag
  std::array<std::int64_t, 6> values{};

  bool operator<(const Line& other) const {
    return std::tie(time, rank, number) < std::tie(other.time, other.rank, other.number);
  }
};

constexpr std::int64_t kNoCollective = -1;

// Numbers of communicators in the file: those of all ranks by their place in the list, then
// MPI_COMM_SELF of each rank.
class CommNumbers {
 public:
  explicit CommNumbers(const FlatComms& comms) : comms_(comms) {}

  std::int64_t of(std::size_t comm, std::uint64_t rank) {
    if (comm != FlatComms::kSelf) return number(comm);
    has_self_ = true;
    return number(comms_.list().size() + rank);
  }

  std::size_t size(std::uint64_t ranks) const {
    return comms_.list().size() - 1 + (has_self_ ? ranks : 0);
  }
  void write(TextFile& to, std::uint64_t ranks) const {
    for (std::size_t c = 0; c < comms_.list().size(); ++c) {
      if (c == FlatComms::kSelf) continue;
      const auto& members = comms_.list()[c].members;
      std::string line = fmt::format("c:1:{}:{}", number(c), members.size());
      for (const std::uint32_t m : members) line += fmt::format(":{}", m + 1);
      to.line("{}", line);
    }
    for (std::uint64_t r = 0; has_self_ && r < ranks; ++r)
      to.line("c:1:{}:1:{}", number(comms_.list().size() + r), r + 1);
  }

 private:
  static std::int64_t number(std::size_t index) { return static_cast<std::int64_t>(index) + 1; }

  const FlatComms& comms_;
  bool has_self_ = false;
};

class TraceWriter {
 public:
  TraceWriter(const trace::Trace& trace, const FlatComms& comms, const FlatRange& range,
              const std::string& path)
      : trace_(trace),
        comms_(comms),
        range_(range),
        callers_(trace),
        numbers_(comms),
        ends_(path + ".messages"),
        lines_(path + ".lines") {}

  void read(std::uint64_t rank, FlatCalls& calls) {
    MessageReader messages(comms_, rank, ends_);
    rank_ = rank;
    last_ = range_.from;
    while (const FlatCall* const call = calls.next()) {
      const bool is_in_range = range_.has_rank(rank) && range_.has_time(call->begin, call->end);
      messages.read(*call, is_in_range);
      if (is_in_range) read_call(*call);
    }
  }

  Result<FlatLosses> write(const std::string& path) {
    FlatLosses losses;
    losses.messages = ends_.join([&](const MessageEnd& sent, const MessageEnd& received) {
      add(Line::Kind::message, sent.begin, sent.key.sender,
          {sent.end, sent.key.receiver, received.begin, received.end, sent.bytes, sent.key.tag});
    });
    lines_.sort();
    TextFile to(path);
    write_header(to);
    while (const Line* const line = lines_.next()) write_line(to, *line);
    if (const Status ok = to.close(); !ok) return ok.error();
    const int error = ends_.error() != 0 ? ends_.error() : lines_.error();
    if (error != 0) return cannot_sort(path, error);
    if (const Status ok = write_names(beside(path, ".pcf"), trace_, callers_); !ok)
      return ok.error();
    if (const Status ok = write_rows(beside(path, ".row"), trace_.ranks); !ok) return ok.error();
    return losses;
  }

 private:
  void add(Line::Kind kind, std::int64_t time, std::uint64_t rank,
           const std::array<std::int64_t, 6>& values) {
    lines_.add({time, static_cast<std::uint32_t>(rank), kind, added_++, values});
  }

  void read_call(const FlatCall& call) {
    const auto index = static_cast<std::int64_t>(call.event->call);
    if (call.begin > last_)
      add(Line::Kind::state, last_, rank_, {call.begin, static_cast<std::int64_t>(State::running)});
    const State state = state_of(*call.event->function);
    if (call.end > call.begin)
      add(Line::Kind::state, call.begin, rank_, {call.end, static_cast<std::int64_t>(state)});
    add(Line::Kind::enter, call.begin, rank_, entered(call, index));
    add(Line::Kind::leave, call.end, rank_, {index});
    last_ = call.end;
    end_ = std::max(end_, last_);
  }

  std::array<std::int64_t, 6> entered(const FlatCall& call, std::int64_t index) {
    const FlatCollective* const collective = collective_of(call);
    if (!collective) return {index, kNoCollective};
    return {index, static_cast<std::int64_t>(collective->buffers.sent),
            static_cast<std::int64_t>(collective->buffers.received),
            numbers_.of(collective->comm, rank_), collective->is_root ? 1 : 0};
  }

  void write_header(TextFile& to) const {
    const std::time_t date = trace_.date;
    std::tm utc{};
    gmtime_r(&date, &utc);
    std::string tasks;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) tasks += r > 0 ? ",1:1" : "1:1";
    to.line("#Paraver ({:%d/%m/%Y at %H:%M}):{}_ns:1({}):1:{}({}),{}", utc, end_, trace_.ranks,
            trace_.ranks, tasks, numbers_.size(trace_.ranks));
    numbers_.write(to, trace_.ranks);
  }

  void write_line(TextFile& to, const Line& line) const {
    const std::uint32_t task = line.rank + 1;
    const auto& v = line.values;
    switch (line.kind) {
      case Line::Kind::state:
        return to.line("1:{0}:1:{0}:1:{1}:{2}:{3}", task, line.time, v[0], v[1]);
      case Line::Kind::enter: return to.line("2:{0}:1:{0}:1:{1}{2}", task, line.time, events_of(v));
      case Line::Kind::leave: {
        const CallValue value = value_of(trace_.calls[static_cast<std::size_t>(v[0])].function);
        return to.line("2:{0}:1:{0}:1:{1}:{2}:0", task, line.time,
                       static_cast<std::uint32_t>(value.type));
      }
      case Line::Kind::message:
        return to.line("3:{0}:1:{0}:1:{1}:{2}:{3}:1:{3}:1:{4}:{5}:{6}:{7}", task, line.time, v[0],
                       v[1] + 1, v[2], v[3], v[4], v[5]);
    }
  }

  std::string events_of(const std::array<std::int64_t, 6>& v) const {
    const trace::Call& call = trace_.calls[static_cast<std::size_t>(v[0])];
    const CallValue value = value_of(call.function);
    std::string out = fmt::format(":{}:{}", static_cast<std::uint32_t>(value.type), value.value);
    if (v[1] != kNoCollective) {
      out += fmt::format(":{}:{}:{}:{}:{}:{}", kSentSize, v[1], kReceivedSize, v[2], kCommunicator,
                         v[3]);
      if (v[4] != 0) out += fmt::format(":{}:1", kRoot);
    }
    for (std::uint32_t level = 1; level <= callers_.levels(call.callpath); ++level) {
      const Callers::Numbers n = callers_.at(call.callpath, level);
      out += fmt::format(":{}:{}:{}:{}", kCaller + level, n.function, kCallerLine + level, n.line);
    }
    return out;
  }

  const trace::Trace& trace_;
  const FlatComms& comms_;
  const FlatRange& range_;
  Callers callers_;
  CommNumbers numbers_;
  MessageEnds ends_;
  Sorter<Line> lines_;
  std::uint64_t rank_ = 0, added_ = 0;
  std::int64_t last_ = 0, end_ = 0;  // end of the rank's last call, and of all [ns]
};

}  // namespace

std::vector<std::string> files_of(const std::string& path) {
  return {path, beside(path, ".pcf"), beside(path, ".row")};
}

Result<FlatLosses> export_trace(const trace::Trace& trace, const std::string& path,
                                const FlatRange& range, const RanksWalked& progress) {
  const auto comms = FlatComms::of(trace);
  if (!comms) return comms.error();
  TraceWriter writer(trace, *comms, range, path);
  for_each_rank(trace, *comms, progress,
                [&](std::uint64_t rank, FlatCalls& calls) { writer.read(rank, calls); });
  return writer.write(path);
}

}  // namespace reprise::convert::paraver
