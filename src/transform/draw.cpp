#include "transform/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "compress/merge/rank_columns.hpp"
#include "compress/merge/stream_values.hpp"
#include "compress/times/merged_times.hpp"
#include "compress/times/reduce_times.hpp"
#include "trace/calls/places.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"
#include "transform/draw/drawn_deltas.hpp"
#include "transform/draw/exchange_model.hpp"
#include "transform/draw/stretches.hpp"

namespace reprise::transform {

using compress::StreamValues;
using trace::DrawnExchange;
using trace::DrawnMessage;
using trace::Event;
using trace::Item;
using trace::Kind;
using trace::SeriesFolder;
using trace::Trace;
using trace::Value;

namespace {

constexpr std::uint32_t kNone = DrawnExchange::kNoCall;
// Tags of exchanges, distinct for each. MPI guarantees tags up to 32,767.
constexpr std::int64_t kFirstTag = 30000, kTags = 2000;

enum Role : std::uint8_t { kReceive, kSend, kPoll, kWait, kWaitAll };
constexpr std::size_t kRoles = 5;

// A call that a rank makes in an exchange.
struct Act {
  Role role{};
  std::int64_t peer = 0, bytes = 0;  // of a message
  std::int64_t requests =
      0;  // pending ones of the exchange, of which a poll or wait is one, or all
};

// The calls of a rank in one execution of an exchange, by round.
using Acts = std::vector<std::vector<Act>>;

// `received`: messages of the rank in earlier executions; is increased.
Acts acts_of(const DrawnExchange& e, const std::vector<std::vector<DrawnMessage>>& rounds,
             std::int64_t rank, std::int64_t& received) {
  Acts out;
  for (const std::vector<DrawnMessage>& messages : rounds) {
    std::vector<Act>& acts = out.emplace_back();
    std::vector<Act> sends;
    for (const DrawnMessage& m : messages) {
      if (m.receiver == rank) {
        if (e.is_ordered && e.completions(received++, 1).polled > 0)
          acts.push_back({kPoll, m.sender, m.bytes, 0});
        acts.push_back({kReceive, m.sender, m.bytes, 0});
      }
      if (m.sender == rank)
        (e.is_ordered ? acts : sends).push_back({kSend, m.receiver, m.bytes, 0});
    }
    if (e.is_ordered) continue;
    const auto receives = std::ssize(acts);
    acts.insert(acts.end(), sends.begin(), sends.end());
    auto pending = std::ssize(acts);
    const auto [polled, waited] =
        e.completions(std::exchange(received, received + receives), receives);
    for (std::int64_t n = 0; n < polled + waited; ++n, --pending)
      acts.push_back({n < polled ? kPoll : kWait, 0, 0, pending});
    if (pending > 0) acts.push_back({kWaitAll, 0, 0, pending});
  }
  return out;
}

// Chooses the kinds of calls so that there are about as many as recorded.
void choose_calls(DrawnExchange& e, const Stretch& stretch, std::uint64_t ranks) {
  trace::ExchangeDraw draw(e, static_cast<std::int64_t>(ranks));
  std::int64_t messages = 0, groups = 0;  // groups: of messages of a rank in a round
  for (std::size_t t = 0; t < stretch.times.size(); ++t) {
    for (const std::vector<DrawnMessage>& round : draw.next()) {
      std::vector<bool> is_in(ranks, false);
      messages += std::ssize(round);
      for (const DrawnMessage& m : round) {
        is_in[static_cast<std::size_t>(m.sender)] = true;
        is_in[static_cast<std::size_t>(m.receiver)] = true;
      }
      groups += std::ranges::count(is_in, true);
    }
  }
  const auto polls = static_cast<std::int64_t>(stretch.polls);
  const std::int64_t completions =
      static_cast<std::int64_t>(stretch.executions) - polls - 2 * messages;
  if (messages > 0) e.polls = std::min<std::int64_t>(1000 * polls / messages, 1000);
  e.is_ordered = 2 * completions < groups;
  if (messages > 0 && !e.is_ordered)
    e.waits = std::clamp<std::int64_t>(1000 * (completions - groups) / messages, 0, 1000);
}

// The columns of a call on one stream.
struct Columns {
  std::vector<SeriesFolder> folders;
  std::uint64_t executions = 0;
};

// Writes one stream: its calls in exchanges, and all its times.
class StreamWriter : public StretchWalk::Visitor {
 public:
  // `acts`: by exchange, by time.
  StreamWriter(const Trace& trace, std::uint64_t stream, const std::vector<Stretch>& stretches,
               const std::vector<DrawnExchange>& exchanges,
               const std::vector<std::uint32_t>& number_of,
               const std::vector<std::vector<Acts>>& acts, const Trace& out, std::size_t bins)
      : exchanges_(exchanges),
        number_of_(number_of),
        acts_(acts),
        out_(out),
        deltas_(trace, stream, times_of(trace, stretches, exchanges)),
        times_({.mode = trace.timing.mode, .bins = bins}),
        has_times_(!trace.times.empty()),
        next_(exchanges.size(), 0),
        trips(exchanges.size()),
        columns(out.calls.size()) {}

  void begin(std::size_t exchange) override {
    at_ = exchange;
    entered_ = communicated_ = 0;
    within_ = {};
    is_first_ = true;
    has_waited_ = false;
  }

  void call(const Event& e) override {
    const DrawnDeltas::Delta d = deltas_.next(e.call);
    if (!at_) return step(number_of_[e.call], d);
    const bool posts =
        (e.function->traits & (trace::traits::kSend | trace::traits::kNonblocking)) != 0;
    const Part part = posts ? kPosting : has_waited_ ? kBetween : kWaiting;
    (is_first_ ? entered_ : within_[part]) += d.compute;
    communicated_ += d.communicate;
    is_first_ = false;
    has_waited_ = !posts;
  }

  void end(std::size_t exchange) override {
    at_.reset();
    const DrawnExchange& e = exchanges_[exchange];
    const Acts& acts = acts_[exchange][next_[exchange]++];
    count_trips(e, acts, trips[exchange]);
    // Computation within a stretch is put before calls of the same part, in one piece for each
    // round: drawing it call by call would make it more even than recorded.
    std::array<std::int64_t, kParts> left{};
    std::int64_t calls = 0;
    for (const std::vector<Act>& round : acts) {
      calls += std::ssize(round);
      for (const std::optional<Part>& part : parts_of(e, round)) {
        if (part) ++left[*part];
      }
    }
    if (calls == 0) {
      carried_ += std::exchange(entered_, 0);
      for (const std::int64_t ns : within_) carried_ += ns;
      return;
    }
    for (const auto& [part, other] : kInstead) {
      if (left[part] == 0) within_[other] += std::exchange(within_[part], 0);
    }
    for (const std::vector<Act>& round : acts) {
      const std::vector<std::optional<Part>> parts = parts_of(e, round);
      for (std::size_t i = 0; i < round.size(); ++i) {
        std::int64_t own = 0;
        if (parts[i]) own = within_[*parts[i]] / left[*parts[i]]--;
        if (parts[i]) within_[*parts[i]] -= own;
        const std::int64_t communicate = communicated_ / calls--;
        communicated_ -= communicate;
        fold(e, round[i]);
        step(e.calls[round[i].role], {std::exchange(entered_, 0) + own, communicate});
      }
    }
  }

  compress::MergedTimes times_of(std::uint32_t call, const std::vector<std::uint32_t>& same) {
    if (folded_.empty()) folded_ = times_.finish(1);
    if (call >= folded_.size() || folded_[call].paths.empty())
      return compress::MergedTimes::absent(1);
    return {folded_[call], same};
  }

 private:
  // Parts of a stretch with computation: before calls that post messages, before the first calls
  // that wait for them, and between completions.
  enum Part : std::uint8_t { kPosting, kWaiting, kBetween, kParts };
  // Parts that take the computation of a part without calls.
  static constexpr std::pair<Part, Part> kInstead[] = {
      {kBetween, kWaiting}, {kWaiting, kPosting}, {kPosting, kWaiting}};

  // By call: how often its stretch is executed, if all messages of a round are under way at once;
  // 0 otherwise.
  static std::vector<std::uint64_t> times_of(const Trace& trace,
                                             const std::vector<Stretch>& stretches,
                                             const std::vector<DrawnExchange>& exchanges) {
    std::vector<std::uint64_t> out(trace.calls.size(), 0);
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      if (exchanges[s].is_ordered) continue;
      for (const std::uint32_t c : stretches[s].calls) out[c] = stretches[s].times.size();
    }
    return out;
  }

  static bool does_wait(const DrawnExchange& e, const Act& a) {
    return a.role >= kPoll || (e.is_ordered && a.role == kReceive);
  }

  // By call of a round: the first one that posts, the first that waits, and the first that does so
  // in another way, or the next one. Each comes once, so that its computation is one draw.
  static std::vector<std::optional<Part>> parts_of(const DrawnExchange& e,
                                                   const std::vector<Act>& round) {
    std::vector<std::optional<Part>> out(round.size());
    if (e.is_ordered) {
      std::ranges::transform(round, out.begin(), [&](const Act& act) {
        return does_wait(e, act) ? kWaiting : kPosting;
      });
      return out;
    }
    std::optional<std::size_t> posting, waiting, next, other;
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (!does_wait(e, round[i])) {
        if (!posting) posting = i;
      } else if (!waiting) {
        waiting = i;
      } else {
        if (!next) next = i;
        if (!other && round[i].role != round[*waiting].role) other = i;
      }
    }
    if (posting) out[*posting] = kPosting;
    if (waiting) out[*waiting] = kWaiting;
    if (other || next) out[other ? *other : *next] = kBetween;
    return out;
  }

  using Trips = std::array<SeriesFolder, kRoles + 1>;  // by role; last: of what is around them

  void step(std::uint32_t call, DrawnDeltas::Delta spent) {
    if (has_times_)
      times_.add(previous_, call, {spent.compute + std::exchange(carried_, 0), spent.communicate});
    previous_ = call;
  }

  static void count_trips(const DrawnExchange& e, const Acts& acts, Trips& trips) {
    if (e.is_ordered) {
      std::uint64_t all = 0;
      for (const std::vector<Act>& round : acts) {
        for (const Act& a : round) {
          for (const Role role : {kReceive, kSend, kPoll}) trips[role].append(a.role == role);
          ++all;
        }
      }
      trips[kRoles].append(static_cast<std::int64_t>(all));
      return;
    }
    for (const std::vector<Act>& round : acts) {
      for (const Role role : {kReceive, kSend, kPoll, kWait, kWaitAll})
        trips[role].append(std::ranges::count(round, role, &Act::role));
    }
    trips[kRoles].append(std::ssize(acts));
  }

  void fold(const DrawnExchange& e, const Act& a) {
    const trace::Function& f = trace::function(out_.calls[e.calls[a.role]].function);
    Columns& c = columns[e.calls[a.role]];
    if (c.folders.empty()) c.folders.resize(f.columns());
    ++c.executions;
    for (std::size_t i = 0; i < f.scalars.size(); ++i)
      c.folders[i].append(scalar(f.scalars[i], e, a));
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      const bool are_requests = f.lists[l].kind == Kind::request;
      c.folders[f.scalars.size() + 2 * l].append(are_requests ? a.requests : 0);
      for (std::int64_t age = a.requests; are_requests && age-- > 0;)
        c.folders[f.scalars.size() + 2 * l + 1].append(age);
    }
  }

  static std::int64_t scalar(const trace::Column& column, const DrawnExchange& e, const Act& a) {
    if (column.name.starts_with("matched")) return trace::kNone;
    switch (column.kind) {
      case Kind::count: return a.bytes;
      case Kind::datatype: return byte();
      case Kind::peer: return a.peer;
      case Kind::tag: return e.tag;
      case Kind::comm: return trace::kWorld;
      case Kind::request: return a.requests - 1;  // the oldest
      default: return 0;
    }
  }

  static std::int64_t byte() {
    static const std::int64_t type = [] {
      std::int64_t t = 0;
      while (trace::type_name(t) != "MPI_BYTE") ++t;
      return t;
    }();
    return type;
  }

  const std::vector<DrawnExchange>& exchanges_;
  const std::vector<std::uint32_t>& number_of_;
  const std::vector<std::vector<Acts>>& acts_;
  const Trace& out_;
  DrawnDeltas deltas_;
  compress::TimeFolder times_;
  bool has_times_;
  std::vector<std::size_t> next_;  // by exchange: the time that comes next
  std::optional<std::size_t> at_;
  bool is_first_ = true, has_waited_ = false;
  // Of the stretch: computed before its first call, and within by where; and in MPI [ns].
  std::int64_t entered_ = 0, communicated_ = 0;
  std::array<std::int64_t, kParts> within_{};
  std::int64_t carried_ = 0;  // of ranks without a message [ns]
  std::uint32_t previous_ = trace::Path::kStart;
  std::vector<compress::FoldedTimes> folded_;

 public:
  std::vector<Trips> trips;      // by exchange
  std::vector<Columns> columns;  // by call
};

class Drawer {
 public:
  Drawer(const Trace& trace, std::vector<Stretch> stretches, Drawing drawing)
      : trace_(trace), stretches_(std::move(stretches)) {
    out_.trace = header();
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      DrawnExchange e = model_of(stretches_[s], trace.ranks, drawing);
      e.seed = 1000 * (s + 1);
      e.tag = kFirstTag + static_cast<std::int64_t>(s) % kTags;
      choose_calls(e, stretches_[s], trace.ranks);
      out_.exchanges.push_back(std::move(e));
    }
    number_calls();
  }

  Result<Drawn> run() {
    // By exchange, by time: what all ranks draw.
    std::vector<std::vector<std::vector<std::vector<DrawnMessage>>>> drawn;
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      trace::ExchangeDraw draw(out_.exchanges[s], static_cast<std::int64_t>(trace_.ranks));
      auto& times = drawn.emplace_back();
      out_.recorded.calls += stretches_[s].executions;
      for (const auto& time : stretches_[s].times) {
        times.push_back(draw.next());
        for (const StretchMessage& m : time) count(m.bytes, out_.recorded);
        for (const auto& round : times.back()) {
          for (const DrawnMessage& m : round) count(m.bytes, out_.drawn);
        }
      }
    }
    const StretchWalk walk(trace_, stretches_);
    std::vector<std::uint32_t> same(out_.trace.calls.size());
    for (std::uint32_t c = 0; c < same.size(); ++c) same[c] = c;
    std::vector<compress::MergedTimes> times(same.size());
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      std::vector<std::vector<Acts>> acts(stretches_.size());
      for (std::size_t s = 0; s < stretches_.size(); ++s) {
        std::int64_t received = 0;
        for (const auto& time : drawn[s]) {
          acts[s].push_back(
              acts_of(out_.exchanges[s], time, static_cast<std::int64_t>(r), received));
          for (const std::vector<Act>& round : acts[s].back()) out_.drawn.calls += round.size();
        }
      }
      StreamWriter writer(trace_, r, stretches_, out_.exchanges, number_of_, acts, out_.trace,
                          bins());
      if (!walk.run(r, writer)) return Error{"the trace is damaged (a value in it makes no sense)"};
      take(writer, r);
      for (std::uint32_t c = 0; c < same.size() && !trace_.times.empty(); ++c) {
        compress::MergedTimes own = writer.times_of(c, same);
        if (r == 0) {
          times[c] = std::move(own);
        } else {
          times[c].append(std::move(own));
        }
      }
    }
    finish_columns();
    out_.trace.root = rewritten(trace_.root);
    if (!trace_.times.empty()) {
      out_.trace.times = compress::finish_times(std::move(times), same, same, times_kept());
      compress::reduce_times(out_.trace);
    }
    return std::move(out_);
  }

 private:
  static void count(std::int64_t bytes, DrawnTotals& totals) {
    ++totals.messages;
    totals.bytes += static_cast<std::uint64_t>(bytes);
  }

  Trace header() const {
    Trace out;
    out.program = trace_.program;
    out.mpi = trace_.mpi;
    out.options = trace_.options;
    out.date = trace_.date;
    out.duration = trace_.duration;
    out.ranks = trace_.ranks;
    out.threads = trace_.threads;
    out.symbolized = trace_.symbolized;
    out.losses = trace_.losses;
    out.texts = trace_.texts;
    out.modules = trace_.modules;
    out.frames = trace_.frames;
    out.callpaths = trace_.callpaths;
    out.wrappers = trace_.wrappers;
    out.timing = trace_.timing;
    return out;
  }

  // Adds the call path that all calls of a stretch share, with the innermost function that contains
  // them all.
  std::uint32_t place_of(const Stretch& stretch) {
    const auto outward = [&](std::uint32_t call) {
      std::vector<std::uint32_t> frames = trace_.callpaths[trace_.calls[call].callpath];
      std::ranges::reverse(frames);
      return frames;
    };
    std::vector<std::uint32_t> path = outward(stretch.calls.front());
    for (const std::uint32_t c : stretch.calls) {
      const std::vector<std::uint32_t> other = outward(c);
      std::size_t depth = 0;
      while (depth < path.size() && depth < other.size() && path[depth] == other[depth]) ++depth;
      const bool is_one_function =
          depth < path.size() && depth < other.size() &&
          trace_.frames[path[depth]].function == trace_.frames[other[depth]].function;
      path.resize(std::min(path.size(), depth + (is_one_function ? 1 : 0)));
    }
    std::ranges::reverse(path);
    out_.trace.callpaths.push_back(std::move(path));
    return static_cast<std::uint32_t>(out_.trace.callpaths.size() - 1);
  }

  void number_calls() {
    std::vector<bool> is_drawn(trace_.calls.size(), false);
    for (const Stretch& s : stretches_) {
      for (const std::uint32_t c : s.calls) is_drawn[c] = true;
    }
    number_of_.assign(trace_.calls.size(), kNone);
    for (std::uint32_t c = 0; c < trace_.calls.size(); ++c) {
      if (is_drawn[c]) continue;
      number_of_[c] = static_cast<std::uint32_t>(out_.trace.calls.size());
      out_.trace.calls.push_back(trace_.calls[c]);
    }
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      DrawnExchange& e = out_.exchanges[s];
      const std::uint32_t place = place_of(stretches_[s]);
      constexpr std::string_view kPosted[] = {"MPI_Irecv", "MPI_Isend", "MPI_Test", "MPI_Wait",
                                              "MPI_Waitall"};
      constexpr std::string_view kOrdered[] = {"MPI_Recv", "MPI_Send", "MPI_Iprobe"};
      for (std::size_t role = 0; role < (e.is_ordered ? std::size(kOrdered) : kRoles); ++role) {
        if ((role == kPoll && e.polls == 0) || (role == kWait && e.waits == 0)) continue;
        e.calls[role] = static_cast<std::uint32_t>(out_.trace.calls.size());
        const auto function = trace::find_function(e.is_ordered ? kOrdered[role] : kPosted[role]);
        out_.trace.calls.push_back({*function, place, {}});
      }
    }
    trips_.resize(stretches_.size());
    columns_.resize(out_.trace.calls.size());
  }

  void take(StreamWriter& writer, std::uint64_t rank) {
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      for (std::size_t i = 0; i < trips_[s].size(); ++i) {
        const SeriesFolder& own = writer.trips[s][i];
        StreamValues values = own.empty() ? StreamValues::absent() : StreamValues(own.finish());
        if (rank == 0) {
          trips_[s][i] = std::move(values);
        } else {
          trips_[s][i].append(std::move(values));
        }
      }
      for (const std::uint32_t call : out_.exchanges[s].calls) {
        if (call != kNone) take_columns(call, writer.columns[call], rank);
      }
    }
  }

  void take_columns(std::uint32_t call, const Columns& own, std::uint64_t rank) {
    const trace::FunctionId function = out_.trace.calls[call].function;
    std::vector<StreamValues> values;
    if (own.folders.empty()) {
      values.assign(trace::function(function).columns(), StreamValues::absent());
    } else {
      compress::FoldedSite site;
      site.key.function = function;
      site.executions = own.executions;
      for (const SeriesFolder& f : own.folders)
        site.columns.push_back(f.empty() ? trace::Series() : f.finish());
      values = compress::encoded_columns(site, trace::Memberships(trace::in_world(trace_, rank)));
    }
    if (rank == 0) {
      columns_[call] = std::move(values);
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) columns_[call][i].append(std::move(values[i]));
  }

  void finish_columns() {
    for (const DrawnExchange& e : out_.exchanges) {
      for (const std::uint32_t call : e.calls) {
        if (call == kNone) continue;
        for (StreamValues& v : columns_[call])
          out_.trace.calls[call].columns.push_back(std::move(v).finish());
      }
    }
  }

  Item rewritten(const Item& item) {
    Item out;
    out.trips = item.trips;
    if (item.is_call()) {
      out.call = number_of_[item.call];
      return out;
    }
    for (std::size_t i = 0; i < item.body.size(); ++i) {
      const auto stretch = std::ranges::find_if(
          stretches_, [&](const Stretch& s) { return s.body == &item && s.first == i; });
      if (stretch == stretches_.end()) {
        out.body.push_back(rewritten(item.body[i]));
        continue;
      }
      out.body.push_back(exchange(static_cast<std::size_t>(stretch - stretches_.begin())));
      i = stretch->end - 1;
    }
    return out;
  }

  // The calls of an exchange, in a body of their own.
  Item exchange(std::size_t s) {
    const DrawnExchange& e = out_.exchanges[s];
    Item out;
    out.trips = std::move(trips_[s][kRoles]).finish();
    for (std::size_t role = 0; role < e.calls.size(); ++role) {
      if (e.calls[role] == kNone) continue;
      out.body.push_back({std::move(trips_[s][role]).finish(), e.calls[role], {}});
    }
    return out;
  }

  std::size_t bins() const {
    std::size_t most = 1;
    for (const trace::CallTimes& t : trace_.times) {
      for (const trace::Histogram& h : t.communicate.classes)
        most = std::max(most, h.bins().size());
    }
    return most;
  }

  compress::TimesPerStream times_kept() const {
    for (const trace::CallTimes& t : trace_.times) {
      if (!t.communicate.sums.empty()) return compress::TimesPerStream::classes_and_sums;
    }
    return compress::TimesPerStream::classes;
  }

  const Trace& trace_;
  std::vector<Stretch> stretches_;
  Drawn out_;
  std::vector<std::uint32_t> number_of_;  // in what is made, by call
  std::vector<std::array<StreamValues, kRoles + 1>>
      trips_;                                       // by exchange, as StreamWriter has them
  std::vector<std::vector<StreamValues>> columns_;  // by call of what is made
};

}  // namespace

Result<Drawn> draw(const Trace& trace, Drawing drawing,
                   const std::function<bool(std::uint32_t call)>& is_irregular) {
  if (trace.threads > 1)
    return Error{fmt::format("each rank has {} threads (whose messages cannot be told apart)",
                             trace.threads)};
  auto stretches = find_stretches(trace, is_irregular);
  if (!stretches) return stretches.error();
  std::erase_if(*stretches, [](const Stretch& s) {
    return std::ranges::all_of(s.times, [](const auto& time) { return time.empty(); });
  });
  return Drawer(trace, std::move(*stretches), drawing).run();
}

}  // namespace reprise::transform
