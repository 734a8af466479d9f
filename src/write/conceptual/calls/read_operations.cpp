#include "write/conceptual/calls/read_operations.hpp"

#include <algorithm>
#include <unordered_map>

#include "analyze/totals/volume.hpp"
#include "mpi/arguments.hpp"
#include "mpi/communicators/directory.hpp"
#include "mpi/payloads/payload_sizes.hpp"
#include "mpi/requests/matching.hpp"
#include "mpi/requests/pending.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "transform/collectives.hpp"
#include "transform/wildcards.hpp"
#include "write/conceptual/calls/collectives.hpp"
#include "write/conceptual/calls/true_calls.hpp"

namespace reprise::write::conceptual {

using mpi::Group;
using trace::Encoding;
using trace::Event;
namespace traits = trace::traits;

namespace {

// The operations of one stream.
class StreamReader {
 public:
  StreamReader(const trace::Trace& trace, std::uint64_t stream, mpi::GroupNames& names,
               const mpi::Directory& directory, Substitutes substitutes, TaskOperations& out)
      : trace_(trace),
        me_(static_cast<std::int64_t>(stream)),
        ranks_(static_cast<std::int64_t>(trace.ranks)),
        directory_(directory),
        substitutes_(substitutes),
        out_(out),
        cursor_(trace, stream),
        groups_(names, trace::in_world(trace, stream)),
        objects_(trace::in_world(trace, stream)),
        executions_(trace.calls.size()) {}

  // A message if something cannot be said.
  std::optional<Error> run(TasksOfRank& all) {
    auto& foldings = all.operations;
    foldings.resize(trace_.calls.size());
    while (cursor_.next()) {
      const Event& e = cursor_.event();
      groups_.learn(e);
      objects_.learn(e);
      done_.clear();
      if (auto wrong = take(e)) return wrong;
      fold(foldings[e.call], executions_[e.call]++);
    }
    if (cursor_.damaged()) return Error{"the trace is damaged (a value in it makes no sense)"};
    for (std::size_t c = 0; c < foldings.size(); ++c) {
      for (Folding& f : foldings[c]) catch_up(f, executions_[c]);
    }
    all.executions = executions_;
    return std::nullopt;
  }

 private:
  struct Request {
    std::vector<DoneOperation> done;  // what a start of it does
    bool is_persistent = false;
    bool is_open = false;  // a message of it is to be awaited
    bool is_collective = false;
  };

  std::optional<Error> take(const Event& e) {
    const std::uint32_t does = e.function->traits;
    const std::string name(e.function->name);
    if (trace::ends_mpi(*e.function)) {
      if (unawaited_) await();
    } else if (does & traits::kStart) {
      for (const std::int64_t number : mpi::requests_of(e, scratch_)) {
        if (Request* r = pending_.at(number)) start(*r);
      }
      change(name);
    } else if ((does & traits::kProbe)) {
      // MPI_Mprobe takes its message out, for MPI_Mrecv.
      if (mpi::scalar_named(e, "message") != trace::kNone) {
        matched_.push_back(
            {mpi::scalar_named(e, "source"), mpi::scalar_named(e, "tag"), groups_.of(e)});
      }
      leave_out(name);
    } else if (does & (traits::kSend | traits::kRecv)) {
      return message(e);
    } else if (e.function->ends_requests) {
      complete(e);
    } else if (const auto c = collective_of(*e.function, substitutes_);
               c && (does & traits::kCollective)) {
      return collective(e, *c);
    } else if (does & traits::kPartitioned) {
      change(name);  // the message goes when it is started
    } else {
      other(e);
    }
    return std::nullopt;
  }

  void other(const Event& e) {
    const std::uint32_t does = e.function->traits;
    if (does & (traits::kNonblocking | traits::kPersistent))
      pending_.add({}, (does & traits::kPersistent) != 0);
    const std::uint32_t silent = traits::kInit | traits::kLocal | traits::kControl;
    if (!(does & silent)) leave_out(std::string(e.function->name));
  }

  void change(const std::string& name) { ++out_.changed[name]; }
  void leave_out(const std::string& name) { ++out_.left_out[name]; }

  // The rank in the world of a peer; none for MPI_PROC_NULL.
  std::optional<std::int64_t> world(const Group& g, std::int64_t rank) const {
    if (rank < 0) return std::nullopt;
    if (g.key == groups_.comm(mpi::CommId{trace::kWorld}).key) return rank;
    const auto found = directory_.find(directory_.peers_of(g), mpi::Rank{rank});
    if (!found) return std::nullopt;
    return static_cast<std::int64_t>(*found);
  }

  // For a wildcard that recorded matches do not resolve. New matches do not help if starts of a
  // persistent receive match different messages, or if the receive was cancelled.
  static Error wildcard(const Event& e) {
    const std::string name(e.function->name);
    if (e.function->traits & traits::kPersistent) {
      return Error{
          "a benchmark in coNCePTuaL cannot have wildcard receives (no single source and "
          "tag fit all starts of " +
          name + "); use --language c"};
    }
    return Error{
        "a benchmark in coNCePTuaL cannot have wildcard receives (the trace has no match of a "
        "wildcard in " +
        name +
        "); use --language c, or, unless the receive was cancelled, match the wildcards first: "
        "reprise transform resolve --wildcards first app.reprise -o fixed.reprise"};
  }

  static Error stranger(const Event& e) {
    return Error{"which rank of all is the peer of " + std::string(e.function->name) +
                 " is not in the trace (its communicator is of groups or processes that are not "
                 "recorded); take --language c"};
  }

  std::optional<Error> message(const Event& e) {
    const std::uint32_t does = e.function->traits;
    const bool later = (does & (traits::kNonblocking | traits::kPersistent)) != 0;
    const bool both = (does & traits::kSend) && (does & traits::kRecv);
    const analyze::Volume volume = analyze::volume_of(e, objects_);
    if (volume.unknown)
      return Error{"the size of a message is not in the trace (its datatype was not recorded)"};
    std::vector<DoneOperation> done;
    const Group group = groups_.of(e);
    if (does & traits::kSend) {
      const std::int64_t dest = mpi::scalar_named(e, "dest");
      const auto to = world(group, dest);
      if (!to && dest >= 0) return stranger(e);
      const std::string tag = both ? "sendtag" : "tag";
      if (to) {
        done.push_back({later || both ? Verb::send_later : Verb::send, *to,
                        static_cast<std::int64_t>(volume[trace::Direction::sent]),
                        mpi::scalar_named(e, tag)});
      }
    }
    if (does & traits::kRecv) {
      if (auto wrong = receive(e, group, volume, later, done)) return wrong;
    }
    const bool plain = e.function->name == "MPI_Send" || e.function->name == "MPI_Isend" ||
                       e.function->name == "MPI_Recv" || e.function->name == "MPI_Irecv";
    if (!plain) change(std::string(e.function->name));
    if (does & traits::kPersistent) {
      pending_.add({done, true, false}, true);
    } else if (later) {
      Request r{done, false, false};
      start(r);
      pending_.add(r, false);
    } else {
      done_ = done;
      if (both && !done.empty() && done.front().verb == Verb::send_later) {
        unawaited_ = true;
        if (open_ == 0) await();
      }
    }
    return std::nullopt;
  }

  std::optional<Error> receive(const Event& e, Group group, const analyze::Volume& volume,
                               bool later, std::vector<DoneOperation>& done) {
    const auto at = mpi::receive_columns(*e.function);
    std::int64_t source = trace::kProcNull, tag = 0;
    if (at) {
      source = e.scalars[at->source];
      tag = e.scalars[at->tag];
    } else if (const std::int64_t number = mpi::scalar_named(e, "message");
               number >= 0 && number < std::ssize(matched_)) {
      const auto place = matched_.end() - 1 - number;
      source = place->source;
      tag = place->tag;
      group = place->group;
      const bool overtakes = std::any_of(matched_.begin(), place, [&](const Matched& m) {
        return m.source == source && m.tag == tag && m.group.key == group.key;
      });
      if (overtakes) {
        return Error{
            "messages are received in another order than that in which they were probed "
            "for (coNCePTuaL cannot say that); take --language c"};
      }
      matched_.erase(place);
    }
    if (source == trace::kAnySource || tag == trace::kAnyTag) return wildcard(e);
    const auto from = world(group, source);
    if (!from && source >= 0) return stranger(e);
    if (!from) return std::nullopt;
    done.push_back({later ? Verb::receive_later : Verb::receive, *from,
                    static_cast<std::int64_t>(volume[trace::Direction::received]), tag});
    return std::nullopt;
  }

  void start(Request& r) {
    done_.insert(done_.end(), r.done.begin(), r.done.end());
    if (r.done.empty() || r.is_open || r.is_collective) return;
    r.is_open = true;
    ++open_;
    unawaited_ = true;
  }

  // The language awaits all or nothing: it does so when nothing is left to be awaited later.
  void complete(const Event& e) {
    bool is_any = false;
    pending_.pass(e, [&](Request& r) {
      if (r.is_open) --open_;
      is_any = is_any || r.is_open;
      r.is_open = false;
    });
    if (unawaited_ && open_ == 0) await();
    const std::string_view name = e.function->name;
    const bool awaits_all = name == "MPI_Wait" || name == "MPI_Waitall";
    if (!awaits_all || (is_any && open_ > 0)) change(std::string(name));
  }

  void await() {
    done_.push_back({Verb::await});
    unawaited_ = false;
  }

  std::optional<Error> collective(const Event& e, const Collective& c) {
    const Group group = groups_.of(e);
    const std::string name(e.function->name);
    std::vector<DoneOperation> done;
    if (group.is_inter || !group.is_known()) {
      leave_out(name);
    } else if (auto wrong = collective(e, c, group, done)) {
      return wrong;
    }
    const bool is_called = substitutes_ == Substitutes::none && true_call(c.name);
    const bool later = !done.empty() && is_of_messages(c.verb) && !is_called;
    if (e.function->traits & traits::kPersistent) {
      pending_.add({std::move(done), true, false, !later}, true);
    } else if (e.function->traits & traits::kNonblocking) {
      Request r{std::move(done), false, false, !later};
      start(r);
      pending_.add(std::move(r), false);
    } else {
      done_ = std::move(done);
      if (later) unawaited_ = true;
      if (later && open_ == 0) await();
    }
    return std::nullopt;
  }

  // What the members of a known group do.
  std::optional<Error> collective(const Event& e, const Collective& c, const Group& group,
                                  std::vector<DoneOperation>& done) {
    const std::string name(e.function->name);
    if (substitutes_ == Substitutes::none && true_call(c.name)) {
      ++out_.called[name];
    } else if (!c.text.empty() || (e.function->traits & traits::kNonblocking)) {
      change(name);
    }
    DoneOperation one{c.verb};
    // A set of tasks has no order.
    one.is_world = group.size == ranks_;
    if (!one.is_world) {
      const auto lowest = directory_.lowest(group.members);
      if (!lowest) return Error{"the group of " + name + " is not in the trace"};
      one.leader = static_cast<std::int64_t>(*lowest);
    }
    if (c.is_spread) {
      one.peer = one.leader;
    } else if (has_root(c.verb)) {
      const auto root = world(group, mpi::scalar_named(e, "root"));
      if (!root) return Error{"the root of " + name + " is not in the trace"};
      one.peer = *root;
    }
    if (c.verb == Verb::exchange) {
      if (auto wrong = exchange(e, group, one)) return wrong;
    } else {
      const analyze::Volume v = analyze::volume_of(e, objects_);
      if (v.unknown)
        return Error{"the size of a message is not in the trace (its datatype was not recorded)"};
      const auto sent = static_cast<std::int64_t>(v[trace::Direction::sent]);
      const auto received = static_cast<std::int64_t>(v[trace::Direction::received]);
      one.bytes = bytes_of(c, sent, received, group.size, one.peer == me_);
    }
    done.push_back(one);
    if (c.is_spread) {
      one.verb = Verb::broadcast;
      one.bytes = trace::wrapping_mul(one.bytes, static_cast<std::uint64_t>(group.size));
      done.push_back(std::move(one));
    }
    return std::nullopt;
  }

  // Of each member to each, or its own.
  static std::int64_t bytes_of(const Collective& c, std::int64_t sent, std::int64_t received,
                               std::int64_t size, bool is_root) {
    const bool is_to_each = c.name == "Alltoall" || c.verb == Verb::all_to_all;
    if (is_to_each && c.name != "Allgather") return size > 0 ? sent / size : 0;
    if (c.name == "Bcast") return std::max(sent, received);
    if (c.name == "Scatter") {
      return is_root && received == 0 && size > 0 ? sent / size : received;
    }
    if (c.name == "Scatterv" || c.name == "Reduce_scatter" || c.name == "Reduce_scatter_block") {
      return received;
    }
    return sent;
  }

  std::optional<Error> exchange(const Event& e, const Group& group, DoneOperation& one) {
    one.elements.assign(static_cast<std::size_t>(ranks_), 0);
    const auto sent =
        std::ranges::find(e.function->payloads, trace::Direction::sent, &trace::Payload::direction);
    if (sent == e.function->payloads.end()) return std::nullopt;
    const std::vector<mpi::Bytes> sizes = mpi::PayloadSizes(e, objects_.types).blocks(&*sent);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto to = world(group, static_cast<std::int64_t>(i));
      if (!sizes[i].is_known())
        return Error{"the size of a message is not in the trace (its datatype was not recorded)"};
      if (to && *to < ranks_) one.elements[static_cast<std::size_t>(*to)] = sizes[i].count();
    }
    return std::nullopt;
  }

  void fold(std::vector<Folding>& foldings, std::uint64_t execution) {
    std::size_t at = 0;
    for (const DoneOperation& a : done_) {
      while (at < foldings.size() && foldings[at].verb != a.verb) ++at;
      if (at == foldings.size()) {
        Folding& f = foldings.emplace_back();
        f.verb = a.verb;
      }
      Folding& f = foldings[at++];
      catch_up(f, execution);
      add(f, a);
    }
  }

  // Executions in which it was not done.
  static void catch_up(Folding& f, std::uint64_t execution) {
    for (; f.executions < execution; ++f.executions) f.active.append(0);
  }

  void add(Folding& f, const DoneOperation& a) {
    ++f.executions;
    f.is_world = f.is_world && a.is_world;
    f.active.append(1);
    f.bytes.append(a.bytes);
    f.tag.append(a.tag);
    f.leader.append(a.leader);
    for (const Encoding e : {Encoding::absolute, Encoding::relative, Encoding::exclusive_or}) {
      f.peer[static_cast<int>(e)].append(trace::encode_rank(e, a.peer, {me_, ranks_}));
    }
    for (const std::int64_t v : a.elements) f.elements.append(v);
  }

  struct Matched {
    std::int64_t source, tag;
    Group group;
  };

  const trace::Trace& trace_;
  std::int64_t me_, ranks_;
  const mpi::Directory& directory_;
  Substitutes substitutes_;
  TaskOperations& out_;
  trace::Cursor cursor_;
  mpi::Groups groups_;
  analyze::Objects objects_;
  std::vector<std::uint64_t> executions_;  // by call
  mpi::Pending<Request> pending_;
  std::vector<Matched> matched_;  // by MPI_Mprobe
  std::vector<DoneOperation> done_;
  std::vector<std::int64_t> scratch_;
  std::uint64_t open_ = 0;  // requests that are to be completed
  bool unawaited_ = false;  // something asynchronous since the last `await`
};

}  // namespace

Result<TasksOfRank> read_tasks(const trace::Trace& trace, std::uint64_t rank,
                               mpi::GroupNames& names, const mpi::Directory& directory,
                               Substitutes substitutes, TaskOperations& out) {
  TasksOfRank all;
  if (auto wrong = StreamReader(trace, rank, names, directory, substitutes, out).run(all))
    return *wrong;
  return all;
}

}  // namespace reprise::write::conceptual
