#include "transform/draw/stretches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "mpi/arguments.hpp"
#include "mpi/payloads/payload_sizes.hpp"
#include "mpi/requests/matching.hpp"
#include "mpi/requests/pending.hpp"
#include "trace/calls/places.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

using trace::Event;
using trace::Item;
using trace::Kind;
using trace::Trace;
namespace traits = trace::traits;

namespace {

// A longer chain of messages is a pipeline, whose order matters.
constexpr std::size_t kMostRounds = 4096;

// Point-to-point calls, and those that complete their requests.
bool is_message(const trace::Function& f) {
  constexpr std::uint32_t kOthers = traits::kPersistent | traits::kStart | traits::kCancel |
                                    traits::kPartitioned | traits::kRma | traits::kIo |
                                    traits::kCollective | traits::kCreate | traits::kFree;
  constexpr std::uint32_t kMessages =
      traits::kSend | traits::kRecv | traits::kComplete | traits::kProbe;
  const bool has_message = std::ranges::any_of(
      f.scalars, [](const trace::Column& c) { return c.kind == Kind::message; });
  return (f.traits & kMessages) && !(f.traits & kOthers) && !has_message;
}

// Why irregular calls of the function cannot be drawn; empty: they stay as they are.
std::string_view why_not(const trace::Function& f) {
  if (f.traits & (traits::kRma | traits::kRmaSync)) return "it is one-sided communication";
  if (f.traits & traits::kPartitioned) return "it is of a partitioned message";
  if (f.traits & (traits::kPersistent | traits::kStart)) {
    return f.traits & traits::kCollective ? "" : "it is of a persistent request";
  }
  if (f.traits & traits::kCancel) return "it cancels a request";
  for (const trace::Column& c : f.scalars) {
    if (c.kind == Kind::message) return "it is of a message that was probed for";
  }
  return "";
}

bool is_shared(const Item& item) {
  return item.trips.classes.empty() ? item.trips.by_stream.is_constant()
                                    : item.trips.classes.size() == 1;
}

void collect_calls(const Item& item, std::vector<std::uint32_t>& out) {
  if (item.is_call()) out.push_back(item.call);
  for (const Item& b : item.body) collect_calls(b, out);
}

class Finder {
 public:
  Finder(const Trace& trace, const std::function<bool(std::uint32_t)>& is_irregular)
      : trace_(trace) {
    for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
      is_message_.push_back(is_message(trace::function(trace.calls[c].function)));
      is_irregular_.push_back(is_irregular(c));
    }
  }

  // The present stretches. Bodies that all ranks execute equally often are searched, unless they
  // are known to belong to what is around them.
  std::vector<Stretch> find() {
    std::vector<Stretch> out;
    known_ = whole_;
    body(trace_.root, out);
    return out;
  }

  // Enlarges a stretch that is not closed. False if it is bounded by collectives already.
  bool enlarge(const Stretch& s) {
    bool has_grown = false;
    for (const std::size_t beside : {s.first - 1, s.end}) {
      if (beside >= s.body->body.size() || !is_part(s.body->body[beside])) continue;
      whole_.insert(&s.body->body[beside]);
      has_grown = true;
    }
    if (has_grown) return true;
    if (!is_all_messages(*s.body) || known_.contains(s.body)) return false;
    whole_.insert(s.body);
    return true;
  }

 private:
  bool is_all_messages(const Item& item) const {
    if (item.is_call()) return is_message_[item.call];
    return std::ranges::all_of(item.body, [&](const Item& b) { return is_all_messages(b); });
  }
  // Whether the item is searched, and consists of messages only.
  bool is_part(const Item& item) const {
    return !item.is_call() && is_shared(item) && is_all_messages(item) && !known_.contains(&item);
  }

  void body(const Item& item, std::vector<Stretch>& out) {
    std::size_t first = 0;
    const auto close = [&](std::size_t end) {
      Stretch s{&item, first, end, {}, 0, 0, {}};
      for (std::size_t i = first; i < end; ++i) collect_calls(item.body[i], s.calls);
      if (std::ranges::any_of(s.calls, [&](std::uint32_t c) { return is_irregular_[c]; }))
        out.push_back(std::move(s));
      first = end + 1;
    };
    for (std::size_t i = 0; i < item.body.size(); ++i) {
      const Item& b = item.body[i];
      if (is_all_messages(b) && !is_part(b)) continue;
      close(i);
      if (!b.is_call() && is_shared(b)) body(b, out);
    }
    close(item.body.size());
  }

  const Trace& trace_;
  std::vector<bool> is_message_, is_irregular_;  // by call
  // Items that are not searched: from the next search on, and in this one.
  std::set<const Item*> whole_, known_;
};

// The operations of a rank in one execution of a stretch, in order.
struct Act {
  bool is_send = false;
  std::int64_t peer = 0, tag = 0, bytes = 0;
};
using Acts = std::vector<Act>;

// The operations of all ranks in a stretch, by execution and rank.
struct Recorded {
  std::vector<std::vector<Acts>> times;
  std::uint64_t executions = 0, polls = 0;
  std::optional<std::string> open;  // why it is not closed
};

class Recording : public StretchWalk::Visitor {
 public:
  Recording(const Trace& trace, std::uint64_t rank, std::vector<Recorded>& out)
      : trace_(trace), rank_(rank), out_(out), times_(out.size(), 0) {}

  void begin(std::size_t stretch) override {
    at_ = stretch;
    Recorded& r = out_[stretch];
    if (r.times.size() <= times_[stretch]) r.times.resize(times_[stretch] + 1);
    auto& time = r.times[times_[stretch]];
    time.resize(trace_.ranks);
    acts_ = &time[rank_];
  }

  void end(std::size_t stretch) override {
    if (made_ > 0) leave_pending(stretch);
    ++times_[stretch];
    at_ = kOutside;
    acts_ = nullptr;
    made_ = 0;
  }

  void call(const Event& e) override {
    const std::uint32_t does = e.function->traits;
    types_.learn(e);
    if (at_ != kOutside) {
      ++out_[at_].executions;
      if (does & traits::kPoll) ++out_[at_].polls;
      const std::int64_t comm = mpi::scalar_named(e, "comm");
      if (comm != trace::kNone && comm != trace::kWorld)
        out_[at_].open = "it is in another communicator than MPI_COMM_WORLD";
    }
    if (does & traits::kProbe) return;
    if (!(does & (traits::kNonblocking | traits::kPersistent))) {
      if (does & traits::kSend) send(e);
      if (does & traits::kRecv) receive(source_of(e, mpi::scalar_match(e)));
      if (e.function->ends_requests) complete(e);
      return;
    }
    Request request{.stretch = at_};
    if (does & traits::kPersistent) request.stretch = kOutside;
    if (does & traits::kSend) send(e);
    if (does & traits::kRecv) {
      request.is_receive = true;
      const auto at = mpi::receive_columns(*e.function);
      if (at) {
        request.source = e.scalars[at->source];
        request.tag = e.scalars[at->tag];
        request.is_wild = mpi::is_wild(e, *at);
      }
    }
    if (at_ != kOutside) ++made_;
    pending_.add(request, (does & traits::kPersistent) != 0);
  }

 private:
  static constexpr std::size_t kOutside = ~std::size_t{0};

  struct Request {
    std::size_t stretch = kOutside;
    bool is_left = false;  // pending behind its stretch
    bool is_receive = false, is_wild = false;
    std::int64_t source = 0, tag = 0;
  };

  void send(const Event& e) {
    const auto at = mpi::send_columns(*e.function);
    if (!acts_ || !at || e.scalars[at->dest] < 0) return;
    acts_->push_back({true, e.scalars[at->dest], e.scalars[at->tag], bytes_of(e)});
  }

  // Requests that no call completes: in some MPIs MPI_Testall frees requests that have completed
  // before all have.
  void leave_pending(std::size_t stretch) {
    for (auto age = static_cast<std::int64_t>(pending_.size()); age-- > 0;) {
      Request& r = *pending_.at(age);
      if (r.stretch != stretch || r.is_left) continue;
      r.is_left = true;
      if (r.is_receive && r.is_wild) out_[stretch].open = "requests are pending behind it";
      if (r.is_receive) receive({r.source, r.tag});
    }
  }

  void receive(const mpi::MatchedMessage& from) {
    if (acts_ && from.source >= 0) acts_->push_back({false, from.source, from.tag, 0});
  }

  static mpi::MatchedMessage source_of(const Event& e, const mpi::MatchedMessage& match) {
    const auto at = mpi::receive_columns(*e.function);
    if (!at) return {trace::kNone, 0};
    if (mpi::is_wild(e, *at)) return match;
    return {e.scalars[at->source], e.scalars[at->tag]};
  }

  void complete(const Event& e) {
    mpi::Matches matches(e);
    pending_.pass(e, [&](Request& r) {
      mpi::MatchedMessage from{r.source, r.tag};
      if (r.is_receive && r.is_wild) from = matches.next();
      if (r.stretch == kOutside && at_ == kOutside) return;
      if (r.is_left) out_[r.stretch].open = "requests are pending behind it";
      if (r.is_left) return;
      if (r.stretch != at_) {
        if (at_ != kOutside) out_[at_].open = "it completes requests that were made before it";
        return;
      }
      --made_;
      if (r.is_receive) receive(from);
    });
  }

  std::int64_t bytes_of(const Event& e) const {
    for (const trace::Payload& p : e.function->payloads) {
      if (p.direction == trace::Direction::sent)
        return mpi::PayloadSizes(e, types_).block(&p).value_or(0);
    }
    return 0;
  }

  const Trace& trace_;
  std::uint64_t rank_;
  std::vector<Recorded>& out_;
  std::vector<std::uint64_t> times_;  // by stretch
  std::size_t at_ = kOutside;
  Acts* acts_ = nullptr;
  std::int64_t made_ = 0;  // requests of this time of the stretch that are pending
  mpi::Pending<Request> pending_;
  mpi::TypeSizes types_;
};

// The messages of one execution, with their rounds; nothing if sent and received messages differ.
std::optional<std::vector<StretchMessage>> messages_of(const std::vector<Acts>& acts) {
  using Channel = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // from, to, tag
  std::map<Channel, std::deque<std::size_t>> under_way;                  // rounds
  std::vector<std::size_t> at(acts.size(), 0), round(acts.size(), 0);
  std::vector<StretchMessage> out;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t r = 0; r < acts.size(); ++r) {
      const auto rank = static_cast<std::int64_t>(r);
      for (; at[r] < acts[r].size(); ++at[r], goes_on = true) {
        const Act& a = acts[r][at[r]];
        if (a.is_send) {
          under_way[{rank, a.peer, a.tag}].push_back(round[r]);
          out.push_back({rank, a.peer, a.bytes, round[r]});
          continue;
        }
        std::deque<std::size_t>& channel = under_way[{a.peer, rank, a.tag}];
        if (channel.empty()) break;
        round[r] = std::max(round[r], channel.front() + 1);
        channel.pop_front();
      }
    }
  }
  for (std::size_t r = 0; r < acts.size(); ++r) {
    if (at[r] < acts[r].size()) return std::nullopt;
  }
  const bool are_left =
      std::ranges::any_of(under_way, [](const auto& c) { return !c.second.empty(); });
  if (are_left) return std::nullopt;
  return out;
}

void close(Recorded& recorded, Stretch& stretch) {
  stretch.executions = recorded.executions;
  stretch.polls = recorded.polls;
  for (const std::vector<Acts>& time : recorded.times) {
    auto messages = messages_of(time);
    if (!messages) {
      recorded.open = "messages go beyond collectives";
      return;
    }
    for (const StretchMessage& m : *messages) {
      if (m.round < kMostRounds) continue;
      recorded.open = fmt::format("more than {} messages wait for each other", kMostRounds);
      return;
    }
    stretch.times.push_back(std::move(*messages));
  }
}

}  // namespace

struct StretchWalk::Walking {
  trace::Cursor cursor;
  std::uint64_t stream;
  Visitor& visitor;
  std::unordered_map<const Item*, trace::ValueCursor> trips = {};
};

StretchWalk::StretchWalk(const Trace& trace, const std::vector<Stretch>& stretches)
    : trace_(trace), stretches_(stretches) {
  for (std::size_t s = 0; s < stretches.size(); ++s) of_body_[stretches[s].body].push_back(s);
}

bool StretchWalk::item(const Item& item, Walking& walking) const {
  const auto known = walking.trips.try_emplace(&item, item.trips, walking.stream).first;
  const std::int64_t trips = known->second.next();
  const auto found = of_body_.find(&item);
  for (std::int64_t t = 0; t < trips; ++t) {
    if (item.is_call()) {
      if (!walking.cursor.next()) return false;
      walking.visitor.call(walking.cursor.event());
      continue;
    }
    for (std::size_t i = 0; i < item.body.size(); ++i) {
      if (found != of_body_.end()) {
        for (const std::size_t s : found->second) {
          if (stretches_[s].first == i) walking.visitor.begin(s);
        }
      }
      if (!this->item(item.body[i], walking)) return false;
      if (found != of_body_.end()) {
        for (const std::size_t s : found->second) {
          if (stretches_[s].end == i + 1) walking.visitor.end(s);
        }
      }
    }
  }
  return true;
}

bool StretchWalk::run(std::uint64_t stream, Visitor& visitor) const {
  Walking walking{trace::Cursor(trace_, stream), stream, visitor};
  return item(trace_.root, walking);
}

Result<std::vector<Stretch>> find_stretches(
    const Trace& trace, const std::function<bool(std::uint32_t call)>& is_irregular) {
  const trace::Places places(trace);
  const auto refused = [&](std::uint32_t call, std::string_view why) {
    return Error{fmt::format("{} cannot be drawn ({})", places.call_text(trace.calls[call]), why)};
  };
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const std::string_view why = why_not(trace::function(trace.calls[c].function));
    if (!why.empty() && is_irregular(c)) return refused(c, why);
  }
  Finder finder(trace, is_irregular);
  for (;;) {
    std::vector<Stretch> stretches = finder.find();
    std::vector<Recorded> recorded(stretches.size());
    const StretchWalk walk(trace, stretches);
    for (std::uint64_t s = 0; s < trace.streams(); ++s) {
      Recording recording(trace, s, recorded);
      if (!walk.run(s, recording))
        return Error{"the trace is damaged (a value in it makes no sense)"};
    }
    bool has_grown = false;
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      if (!recorded[s].open) close(recorded[s], stretches[s]);
      if (!recorded[s].open) continue;
      if (!finder.enlarge(stretches[s]))
        return refused(stretches[s].calls.front(), *recorded[s].open);
      has_grown = true;
    }
    if (!has_grown) return stretches;
  }
}

}  // namespace reprise::transform
