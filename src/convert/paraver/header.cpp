#include "convert/paraver/header.hpp"

#include <algorithm>
#include <ctime>

#include "convert/paraver/line_reader.hpp"

namespace reprise::convert::paraver {
namespace {

// "28/11/2026 at 04:33"; years may have two digits.
std::int64_t parse_date(const std::string& text) {
  std::tm time{};
  if (std::sscanf(text.c_str(), "%d/%d/%d at %d:%d", &time.tm_mday, &time.tm_mon, &time.tm_year,
                  &time.tm_hour, &time.tm_min) != 5) {
    return 0;
  }
  constexpr int kCentury = 100, kFirstYear = 1900;
  --time.tm_mon;
  time.tm_year = time.tm_year < kCentury ? time.tm_year + kCentury : time.tm_year - kFirstYear;
  constexpr int kMostYears = 1000;  // more is damage
  return time.tm_year < kMostYears ? std::max<std::int64_t>(0, timegm(&time)) : 0;
}

// Takes what stands before `end`, and that, off the front of a text.
bool take_until(std::string_view& text, std::string_view end, std::string_view& out) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return false;
  out = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return true;
}

// "1:1,2:1" of the tasks of an application.
bool parse_tasks(std::string_view list, std::uint64_t tasks, std::vector<std::uint32_t>& out) {
  while (!list.empty()) {
    std::string_view task = list.substr(0, list.find(','));
    list.remove_prefix(std::min(task.size() + 1, list.size()));
    std::uint32_t threads = 0, node = 0;
    if (!take_field(task, threads) || !take_field(task, node) || !task.empty() || threads == 0)
      return false;
    out.push_back(threads);
  }
  return !out.empty() && out.size() == tasks;
}

}  // namespace

Result<Header> parse_header(std::string_view line) {
  Header out;
  std::string_view before, date, time, nodes, tasks, list;
  std::uint64_t applications = 0, n = 0;
  if (!line.starts_with("#Paraver") || !take_until(line, "(", before) ||
      !take_until(line, "):", date))
    return Error{"it does not begin as Paraver traces do, with #Paraver (date):"};
  const bool is_right =
      take_until(line, ":", time) && take_until(line, ":", nodes) && take_field(line, applications);
  if (!is_right) return Error{"its header says no time, nodes and applications"};
  if (applications != 1) {
    return Error{"it has " + std::to_string(applications) +
                 " applications; a trace is of one, whose ranks are its tasks"};
  }
  out.unit = time.ends_with("_ns") ? 1 : 1000;
  out.date = parse_date(std::string(date));
  if (!take_until(line, "(", tasks) || !take_field(tasks, n) || !tasks.empty() ||
      !take_until(line, ")", list) || !parse_tasks(list, n, out.threads))
    return Error{"its header does not say how many threads each task has"};
  out.comms = {{.kind = CommDefinition::Kind::world}, {.kind = CommDefinition::Kind::self}};
  return out;
}

Status parse_communicator(std::string_view line, Header& header) {
  line.remove_prefix(2);
  std::uint64_t application = 0, size = 0;
  std::int64_t id = 0;
  if (!take_field(line, application) || !take_field(line, id) || !take_field(line, size))
    return Error{"a communicator has an application, a number and a size"};
  CommDefinition comm;
  std::uint32_t task = 0;
  while (!line.empty() && take_field(line, task)) {
    if (task == 0 || task > header.threads.size())
      return Error{"a communicator has a task that the header does not have"};
    comm.members.push_back(task - 1);
  }
  if (!line.empty() || comm.members.size() != size || size == 0)
    return Error{"a communicator does not have as many tasks as it says"};
  std::vector<std::uint32_t> sorted = comm.members;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return Error{"a communicator has a task twice"};
  const bool is_all = size == header.threads.size() && std::ranges::is_sorted(comm.members);
  const CommIndex index = is_all ? 0 : size == 1 ? 1 : header.comms.size();
  if (index > 1) header.comms.push_back(std::move(comm));
  header.comm_of.emplace(id, index);
  return {};
}

}  // namespace reprise::convert::paraver
