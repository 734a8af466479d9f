#include "compress/parts/log_process.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "compress/fold/event_record.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/file/flat_log.hpp"
#include "trace/values/special.hpp"

namespace reprise::compress {

using trace::Event;
using trace::Kind;

namespace {

constexpr int kMostAncestors = 1000;                          // of a communicator
constexpr std::int64_t kMostWindows = std::int64_t{1} << 20;  // as trace::Cursor has it

// The communicators that a process names, as CommName has them.
class LoggedComms {
 public:
  LoggedComms(std::int64_t rank, std::int64_t ranks) : names_(2), members_{{rank, ranks}, {0, 1}} {}

  // "comm:world/0/2" is the third one made by all of "comm:world/0"; "comm:members_0_2/1" the
  // second one made by these alone.
  std::int64_t number_of(std::string_view text, int depth = 0) {
    if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
    CommName name;
    const std::size_t slash = text.rfind('/');
    if (slash == std::string_view::npos || depth == kMostAncestors) {
      name.members = hash_text(text) | 1;
    } else {
      const std::string_view parent = text.substr(0, slash);
      name.creation = std::strtoull(std::string(text.substr(slash + 1)).c_str(), nullptr, 10);
      if (parent == "comm:self") {
        name.parent = trace::kSelf;
      } else if (parent.starts_with("comm:world") || parent.find('/') != std::string_view::npos) {
        name.parent = parent == "comm:world" ? trace::kWorld : number_of(parent, depth + 1);
      } else {
        name.members = hash_text(parent) | 1;
      }
    }
    return by_text_.emplace(text, add(name)).first->second;
  }

  // Counts what is made of each parent, also where this process is no member of it.
  void note_creation(const Event& event) {
    if (!(event.function->traits & trace::traits::kCreate)) return;
    const auto made = trace::made_column(*event.function, Kind::comm);
    if (!made) return;
    if (const auto parent = parent_of(event, *made)) {
      const std::uint64_t creation = children_[*parent]++;
      if (event.scalars[*made] == trace::kNull) add({*parent, 0, creation});
    }
    const std::int64_t id = event.scalars[*made];
    if (id < 2 || id >= std::ssize(members_)) return;
    members_[static_cast<std::size_t>(id)] = {event.scalars[*made + 1], event.scalars[*made + 2]};
  }

  const std::vector<CommName>& names() const { return names_; }
  const std::vector<trace::Membership>& members() const { return members_; }

 private:
  // The communicator all of whose processes take part in making one (record::CreatedBy).
  static std::optional<std::int64_t> parent_of(const Event& event, std::size_t made) {
    if (!(event.function->traits & trace::traits::kCollective)) return std::nullopt;
    std::optional<std::int64_t> parent;
    for (std::size_t c = 0; c < event.scalars.size(); ++c) {
      if (event.function->scalars[c].kind != Kind::comm || c == made) continue;
      if (parent) return std::nullopt;
      parent = event.scalars[c];
    }
    return parent;
  }

  std::int64_t add(const CommName& name) {
    const auto [entry, is_new] = by_name_.emplace(name, std::ssize(names_));
    if (is_new) {
      names_.push_back(name);
      members_.emplace_back();
    }
    return entry->second;
  }

  std::vector<CommName> names_;  // the world and self first
  std::vector<trace::Membership> members_;
  std::map<CommName, std::int64_t> by_name_;
  std::map<std::string, std::int64_t, std::less<>> by_text_;
  std::map<std::int64_t, std::uint64_t> children_;
};

class LogFolder {
 public:
  LogFolder(std::uint64_t rank, std::uint64_t ranks, const LogReading& how)
      : how_(how), comms_(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(ranks)) {
    p_.rank = rank;
    p_.ranks = ranks;
    if (how.frames_of) module_ = p_.own.callpaths.add_module({});
    number_of_path("");
  }

  Status add(const std::string& log) {
    StreamFolder folder;
    TimeFolder times(how_.times);
    std::int64_t last = 0;  // end of the call before [ns]
    std::vector<std::int64_t> record;
    trace::FlatLogSource source(
        log, [this](std::string_view n) { return comms_.number_of(n); }, how_.columns);
    while (const Event* event = source.next()) {
      if (std::string why = problem_of(*event); !why.empty())
        return Error{source.position() + " makes no sense (" + why + "); give all logs of a run"};
      lay_out_record(*event, record);
      const SiteKey key{trace::function_of(*event), number_of_path(source.place())};
      const Step step = folder.add(key, layout_of(*event->function), record);
      if (has_times_ = has_times_.value_or(source.span().has_value());
          *has_times_ != source.span().has_value()) {
        return Error{source.position() +
                     " makes no sense (some lines have times and others have not); give all of "
                     "them their times, or none"};
      }
      if (const auto& span = source.span()) {
        if (span->begin < last)
          return Error{source.position() +
                       " makes no sense (the call begins before the last one has ended); put calls "
                       "in their order"};
        times.add(step.from, step.to,
                  {.compute = span->begin - last, .communicate = span->end - span->begin});
        note_time(*event, *span);
        last = span->end;
      }
      comms_.note_creation(*event);
      note_windows(*event);
    }
    if (!source.problem().empty()) return Error{source.problem()};
    FoldedStream& stream = p_.streams.emplace_back(folder.finish());
    std::vector<FoldedTimes> folded = times.finish(1);
    for (std::size_t i = 0; i < std::min(folded.size(), stream.sites.size()); ++i)
      stream.sites[i].times = std::move(folded[i]);
    std::vector<SiteName>& names = p_.names.emplace_back();
    for (const FoldedSite& s : stream.sites)
      names.push_back({std::string(trace::function(s.key.function).name), paths_[s.key.callpath]});
    p_.own.graph.merge(FlowGraph(stream, names));
    return {};
  }

  Process finish() {
    p_.comms = comms_.members();
    p_.own.comms = comms_.names();
    p_.own.threads = std::max<std::uint64_t>(1, p_.streams.size());
    p_.own.times_kept = TimesPerStream::nothing;
    if (has_times_.value_or(false)) {
      p_.own.timing.mode = how_.times.mode;
      p_.own.timing.precision = how_.times.precision_in_millionths();
      p_.own.times_kept = TimesPerStream::classes_and_sums;
      p_.own.duration = static_cast<std::uint64_t>(std::max<std::int64_t>(0, end_ - begin_) / 1000);
    }
    return std::move(p_);
  }

 private:
  std::uint32_t number_of_path(std::string_view place) {
    if (const auto known = number_of_place_.find(place); known != number_of_place_.end())
      return known->second;
    std::vector<GlobalFrame> frames;
    if (how_.frames_of && !place.empty()) {
      for (const std::uint64_t offset : how_.frames_of(place)) frames.push_back({module_, offset});
    }
    paths_.push_back(p_.own.callpaths.add_path(std::move(frames)));
    const auto number = static_cast<std::uint32_t>(paths_.size() - 1);
    number_of_place_.emplace(place, number);
    return number;
  }

  // The run lasts from the end of MPI_Init to the begin of MPI_Finalize.
  void note_time(const Event& event, const trace::FlatLogSource::Span& span) {
    if (trace::begins_mpi(*event.function)) begin_ = span.end;
    end_ = std::max(end_, trace::ends_mpi(*event.function) ? span.begin : span.end);
  }

  std::string problem_of(const Event& event) const {
    const auto ranks = static_cast<std::int64_t>(p_.ranks);
    const trace::Function& f = *event.function;
    const bool in_world = f.communicator >= 0 &&
                          f.scalars[static_cast<std::size_t>(f.communicator)].kind == Kind::comm &&
                          event.scalars[static_cast<std::size_t>(f.communicator)] == trace::kWorld;
    for (std::size_t c = 0; in_world && c < f.scalars.size(); ++c) {
      const Kind kind = f.scalars[c].kind;
      if ((kind == Kind::peer || kind == Kind::matched) && event.scalars[c] >= ranks)
        return "rank " + std::to_string(event.scalars[c]) + " of " + std::to_string(ranks);
    }
    for (const trace::MadeGroup& made : trace::made_groups(event)) {
      if (made.kind != Kind::window) continue;
      if (made.id < 0 || made.id >= kMostWindows) return "an impossible window";
    }
    return {};
  }

  void note_windows(const Event& event) {
    for (const trace::MadeGroup& made : trace::made_groups(event)) {
      if (made.kind != Kind::window) continue;
      const auto id = static_cast<std::size_t>(made.id);
      p_.windows.resize(std::max(p_.windows.size(), id + 1));
      p_.windows[id] = made.membership;
    }
  }

  const LogReading& how_;
  Process p_;
  LoggedComms comms_;
  std::uint64_t module_ = 0;
  std::vector<std::uint64_t> paths_;  // hashes, by number in this process
  std::map<std::string, std::uint32_t, std::less<>> number_of_place_;
  std::optional<bool> has_times_;
  std::int64_t begin_ = 0, end_ = 0;  // [ns]
};

}  // namespace

Result<Process> process_of_logs(std::uint64_t rank, std::uint64_t ranks,
                                const std::vector<std::string>& logs, const LogReading& how) {
  LogFolder folder(rank, ranks, how);
  for (const std::string& log : logs) {
    if (const Status added = folder.add(log); !added) return added.error();
  }
  return folder.finish();
}

}  // namespace reprise::compress
