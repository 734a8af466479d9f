#include "convert/paraver/records.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/printable.hpp"
#include "convert/paraver/line_reader.hpp"
#include "convert/paraver/numbers.hpp"

namespace reprise::convert::paraver {
namespace {

constexpr std::int64_t kLatest = std::int64_t{1} << 62;         // [ns]; more is damage
constexpr std::uint64_t kLinesAtOnce = std::uint64_t{1} << 16;  // between reports of progress

struct Thread {
  std::uint32_t task = 0, thread = 0;
  auto operator<=>(const Thread&) const = default;
};

bool is_of_interest(std::uint32_t type) {
  const auto is_level = [&](std::uint32_t first) {
    return type > first && type <= first + kMostLevels;
  };
  return (type >= static_cast<std::uint32_t>(CallType::point_to_point) &&
          type <= static_cast<std::uint32_t>(CallType::io)) ||
         (type >= kSentSize && type <= kCommunicator) || is_level(kCaller) || is_level(kCallerLine);
}

bool enters_or_leaves(std::uint32_t type) {
  return type <= static_cast<std::uint32_t>(CallType::io);
}

class Reader {
 public:
  explicit Reader(Records& out) : out_(out) {}

  Status read_line(std::string_view line, std::uint64_t number) {
    number_ = number;
    if (line.empty() || line[0] == '#') return {};
    if (line.starts_with("c:")) return parse_communicator(line, out_.header);
    if (line.starts_with("i:")) return {};  // an inter-communicator
    const char kind = line[0];
    line.remove_prefix(1);
    if (!line.starts_with(':') || kind < '1' || kind > '3')
      return Error{"it is not a state, event, communication or communicator"};
    line.remove_prefix(1);
    if (kind == '1') return read_state(line);
    return kind == '2' ? read_events(line) : read_message(line);
  }

 private:
  // "cpu:application:task:thread:"
  Status take_thread(std::string_view& line, Thread& out) const {
    std::uint64_t cpu = 0, application = 0;
    if (!take_field(line, cpu) || !take_field(line, application) || !take_field(line, out.task) ||
        !take_field(line, out.thread))
      return Error{"it does not say of which thread it is"};
    const auto& threads = out_.header.threads;
    if (application != 1 || out.task == 0 || out.task > threads.size() || out.thread == 0 ||
        out.thread > threads[out.task - 1])
      return Error{"it is of a thread that the header does not have"};
    --out.task, --out.thread;
    return {};
  }

  Status take_time(std::string_view& line, std::int64_t& out) const {
    if (!take_field(line, out) || out < 0 || out > kLatest / out_.header.unit)
      return Error{"it has no time"};
    out *= out_.header.unit;
    return {};
  }

  void add(const Record& record) {
    out_.sorter.add(record);
    ++out_.size;
  }

  // Only checks the line: states are not needed.
  Status read_state(std::string_view line) const {
    Thread thread;
    std::int64_t from = 0, to = 0, state = 0;
    if (const Status ok = take_thread(line, thread); !ok) return ok;
    if (const Status ok = take_time(line, from); !ok) return ok;
    if (const Status ok = take_time(line, to); !ok) return ok;
    if (!take_field(line, state) || !line.empty()) return Error{"it has no state"};
    return {};
  }

  Status read_events(std::string_view line) {
    Thread thread;
    std::int64_t time = 0;
    if (const Status ok = take_thread(line, thread); !ok) return ok;
    if (const Status ok = take_time(line, time); !ok) return ok;
    std::int64_t& last = last_[thread];
    if (time < last) return Error{"its time is before that of the thread's last event"};
    last = time;
    std::uint32_t place = 0;
    std::optional<std::int64_t> comm;
    bool is_root = false;
    while (!line.empty()) {
      std::uint32_t type = 0;
      // Extrae writes some values without a sign.
      std::uint64_t value = 0;
      if (!take_field(line, type) || !take_field(line, value))
        return Error{"its events are not pairs of a type and a value"};
      if (!is_of_interest(type)) continue;
      constexpr std::uint32_t kBehindCalls = std::uint32_t{1} << 31;
      add({.task = thread.task,
           .thread = thread.thread,
           .time = time,
           .kind = Record::Kind::event,
           .place = place++ | (enters_or_leaves(type) ? 0 : kBehindCalls),
           .number = number_,
           .values = {type, static_cast<std::int64_t>(std::min<std::uint64_t>(value, kLatest))}});
      if (type == kCommunicator)
        comm = static_cast<std::int64_t>(std::min<std::uint64_t>(value, kLatest));
      is_root = is_root || (type == kRoot && value != 0);
    }
    if (comm) count_collective(thread.task, *comm, is_root);
    return {};
  }

  void count_collective(std::uint32_t task, std::int64_t id, bool is_root) {
    const auto comm = out_.header.comm_of.find(id);
    if (comm == out_.header.comm_of.end()) return;
    const std::uint64_t number = collectives_[{task, comm->second}]++;
    // Each process is the root of its own.
    if (is_root && out_.header.comms[comm->second].kind != CommDefinition::Kind::self)
      out_.roots.set(comm->second, number, task);
  }

  Status read_message(std::string_view line) {
    Thread sender, receiver;
    std::int64_t sent = 0, left = 0, posted = 0, received = 0, bytes = 0, tag = 0;
    if (const Status ok = take_thread(line, sender); !ok) return ok;
    if (const Status ok = take_time(line, sent); !ok) return ok;
    if (const Status ok = take_time(line, left); !ok) return ok;
    if (const Status ok = take_thread(line, receiver); !ok) return ok;
    if (const Status ok = take_time(line, posted); !ok) return ok;
    if (const Status ok = take_time(line, received); !ok) return ok;
    if (!take_field(line, bytes) || !take_field(line, tag) || !line.empty() || bytes < 0)
      return Error{"the message has no size and tag"};
    constexpr std::int64_t kMostTag = std::numeric_limits<std::int32_t>::max();
    if (tag < 0 || tag > kMostTag) return Error{"the message has no tag of MPI"};
    const auto half = [&](Thread at, std::int64_t time, Record::Kind kind, std::uint32_t peer) {
      Record out{.task = at.task,
                 .thread = at.thread,
                 .time = time,
                 .kind = kind,
                 .number = number_,
                 .values = {peer, tag, bytes}};
      // A receive that blocks, and is posted as another one's call ends, is over before that one.
      if (kind == Record::Kind::posted) out.order = -received;
      add(out);
    };
    half(sender, sent, Record::Kind::sent, receiver.task);
    half(receiver, posted, Record::Kind::posted, sender.task);
    half(receiver, received, Record::Kind::completed, sender.task);
    return {};
  }

  Records& out_;
  std::uint64_t number_ = 0;  // of the line
  std::map<Thread, std::int64_t> last_;
  std::map<std::pair<std::uint32_t, CommIndex>, std::uint64_t> collectives_;
};

// Whether a line is of the format before Extrae, which has records of kind 4, and -1 for all tasks
// of a communicator.
bool is_before_extrae(std::string_view line) {
  return line.starts_with("4:") || (line.starts_with("c:") && line.ends_with(":-1"));
}

Error unreadable(const std::string& path, std::uint64_t line, const std::string& why) {
  return Error{path + ":" + std::to_string(line) + " makes no sense (" + why +
               "); the trace is damaged, or not one of an MPI program"};
}

}  // namespace

std::uint32_t Roots::at(CommIndex comm, std::uint64_t number) const {
  const auto list = roots_.find(comm);
  if (list == roots_.end()) return 0;
  auto next =
      std::ranges::upper_bound(list->second, number, {}, [](const auto& r) { return r.first; });
  return next == list->second.begin() ? next->second : std::prev(next)->second;
}

Status read_records(const std::string& path, const ImportProgress& progress, Records& out) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  LineReader lines(path);
  if (!lines.is_open()) error.assign(errno, std::generic_category());
  if (error)
    return Error{path + " cannot be opened (" + error.message() +
                 "); check its name and permissions"};
  if (!lines.next()) return unreadable(path, 1, "the file is empty");
  const auto header = parse_header(lines.line());
  if (!header) return unreadable(path, 1, header.error().message);
  out.header = *header;
  Reader reader(out);
  while (lines.next()) {
    if (is_before_extrae(lines.line())) {
      return Error{path + ":" + std::to_string(lines.number()) +
                   " is of the Paraver format before Extrae (which is not supported); record the "
                   "program with Extrae"};
    }
    if (const Status ok = reader.read_line(lines.line(), lines.number()); !ok)
      return unreadable(path, lines.number(), ok.error().message);
    if (progress && lines.number() % kLinesAtOnce == 0) progress("bytes read", lines.bytes(), size);
  }
  if (lines.bytes() < size) return unreadable(path, lines.number() + 1, "it cannot be read");
  out.sorter.sort();
  if (const int why = out.sorter.error(); why != 0) return cannot_sort(path, why);
  return {};
}

}  // namespace reprise::convert::paraver
