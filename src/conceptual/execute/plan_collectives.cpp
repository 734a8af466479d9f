// Collectives. One-to-many MULTICASTS are broadcasts; where everyone sends the same to everyone
// they are an MPI_Alltoall, else an MPI_Alltoallv. REDUCES is an MPI_Reduce to one task, an
// MPI_Allreduce if those who reduce are those who receive, else a reduction and a broadcast.
#include <algorithm>
#include <limits>
#include <string>

#include "conceptual/execute/message_sizes.hpp"

namespace reprise::conceptual {
namespace {

// Tasks by number, without duplicates.
std::vector<std::int64_t> sorted(std::vector<std::int64_t> tasks) {
  std::sort(tasks.begin(), tasks.end());
  tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
  return tasks;
}

std::vector<std::int64_t> united(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return sorted(std::move(a));
}

bool has(const std::vector<std::int64_t>& tasks, std::int64_t task) {
  return std::binary_search(tasks.begin(), tasks.end(), task);
}

std::shared_ptr<const Members> ranks_of(const std::vector<std::int64_t>& tasks, const Planner& p) {
  Members out;
  for (const std::int64_t t : tasks) out.push_back(p.processors[static_cast<std::size_t>(t)]);
  std::sort(out.begin(), out.end());
  return std::make_shared<const Members>(std::move(out));
}

std::int64_t index_of(const Members& members, std::int64_t task, const Planner& p) {
  const std::int64_t rank = p.processors[static_cast<std::size_t>(task)];
  return std::lower_bound(members.begin(), members.end(), rank) - members.begin();
}

std::vector<std::int64_t> all_of(const Tasks& tasks, std::int64_t source, const Planner& p) {
  std::vector<std::int64_t> out;
  p.tasks.for_each(tasks, source, [&](std::int64_t t) { out.push_back(t); });
  return out;
}

// A source of a multicast, what it sends to each target, and to whom.
struct Sender {
  std::int64_t task = 0;
  Sizes sizes;
  std::vector<std::int64_t> targets;
};

std::vector<Sender> senders_of(const Multicast& s, const Planner& p) {
  std::vector<Sender> out;
  std::vector<std::int64_t> same;
  p.tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t task) {
    Sender sender{task, sizes_of(s.message, p), {}};
    if (s.target.by_source || out.empty()) same = all_of(s.target, task, p);
    sender.targets = same;
    out.push_back(std::move(sender));
  });
  return out;
}

Operation broadcast(const std::vector<std::int64_t>& members, std::int64_t root, std::int64_t bytes,
                    const Planner& p) {
  Operation o;
  o.kind = Operation::Kind::broadcast;
  o.members = ranks_of(members, p);
  o.peer = index_of(*o.members, root, p);
  o.bytes = bytes;
  return o;
}

Plan one_to_many(const Sender& sender, const std::vector<std::int64_t>& members, const Multicast& s,
                 const Planner& p) {
  if (sender.sizes.count == 0) return {};
  Operation o = broadcast(members, sender.task, sender.sizes.bytes, p);
  o.times = sender.sizes.count;
  o.touching = s.message.touching;
  o.verification = s.message.verification;
  if (sender.task == p.me) o.out = {1, sender.sizes.bytes};
  if (has(sender.targets, p.me)) o.in = {1, sender.sizes.bytes};
  return {std::move(o)};
}

// Whether all tasks send the same amount to all tasks, with or without themselves.
bool is_uniform(const std::vector<Sender>& senders, const std::vector<std::int64_t>& members) {
  if (senders.size() != members.size()) return false;
  const Sizes& first = senders.front().sizes;
  return std::all_of(senders.begin(), senders.end(), [&](const Sender& s) {
    return s.sizes.count == first.count && s.sizes.bytes == first.bytes &&
           s.targets.size() + (has(s.targets, s.task) ? 0 : 1) == members.size();
  });
}

Plan many_to_many(const std::vector<Sender>& senders, const std::vector<std::int64_t>& members,
                  const Multicast& s, const Planner& p) {
  Operation o;
  o.members = ranks_of(members, p);
  o.sent.resize(o.members->size());
  o.received.resize(o.members->size());
  std::int64_t sent = 0, received = 0;
  for (const Sender& sender : senders) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(sender.sizes.count, sender.sizes.bytes, &bytes))
      bytes = std::numeric_limits<std::int64_t>::max();
    check_bytes(bytes, s.message.size.at);
    if (sender.task == p.me) {
      for (const std::int64_t to : sender.targets)
        o.sent[static_cast<std::size_t>(index_of(*o.members, to, p))] = static_cast<int>(bytes);
      sent = bytes * std::ssize(sender.targets);
      o.out = {sender.sizes.count * std::ssize(sender.targets), sent};
    }
    if (!has(sender.targets, p.me)) continue;
    o.received[static_cast<std::size_t>(index_of(*o.members, sender.task, p))] =
        static_cast<int>(bytes);
    received += bytes;
    o.in.messages += sender.sizes.count;
  }
  o.in.bytes = received;
  check_bytes(std::max(sent, received), s.message.size.at);
  o.kind = Operation::Kind::alltoallv;
  if (is_uniform(senders, members)) {
    o.kind = Operation::Kind::alltoall;
    o.bytes = senders.front().sizes.count * senders.front().sizes.bytes;
  }
  return {std::move(o)};
}

}  // namespace

Plan Planner::of(const Multicast& s) const {
  const std::vector<Sender> senders = senders_of(s, *this);
  std::vector<std::int64_t> members;
  bool any = false;
  for (const Sender& sender : senders) {
    any = any || !sender.targets.empty();
    if (&sender == &senders.front() || s.target.by_source)
      members.insert(members.end(), sender.targets.begin(), sender.targets.end());
    members.push_back(sender.task);
  }
  members = sorted(std::move(members));
  if (!any || !has(members, me)) return {};
  if (senders.size() == 1) return one_to_many(senders.front(), members, s, *this);
  return many_to_many(senders, members, s, *this);
}

Plan Planner::of(const Synchronize& s) const {
  const std::vector<std::int64_t> members = all_of(s.source, TaskSets::kNoTask, *this);
  if (!has(members, me)) return {};
  Operation o;
  o.members = ranks_of(members, *this);
  return {std::move(o)};
}

Plan Planner::of(const Reduce& s) const {
  std::vector<std::int64_t> sources, targets;
  std::int64_t count = 0;
  tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t task) {
    const bool first = sources.empty();
    sources.push_back(task);
    const std::int64_t n = evaluator.integer(s.message.count);
    if (!first && n != count)
      throw Problem{s.message.count.at, "tasks reduce " + std::to_string(count) + " and " +
                                            std::to_string(n) +
                                            " numbers at once (all have to "
                                            "provide as many); take the same for all"};
    count = n;
    if (s.target && (first || s.target->by_source)) {
      const std::vector<std::int64_t> more = all_of(*s.target, task, *this);
      targets.insert(targets.end(), more.begin(), more.end());
    }
  });
  targets = s.target ? sorted(std::move(targets)) : sources;
  if (sources.empty() || targets.empty()) return {};

  const std::int64_t root = targets.front();
  const bool mine = has(sources, me), wanted = has(targets, me);
  const std::vector<std::int64_t> reducing = united(sources, {root});
  if (!has(reducing, me) && !wanted) return {};
  Operation o;
  o.element = s.message.unit;
  o.bytes = count;
  const std::int64_t bytes = bytes_of(o.bytes, o.element, s.message.count.at);
  check_bytes(bytes, s.message.count.at);
  o.touching = s.message.touching;
  if (mine) o.out = {1, bytes};

  const bool to_all = sources == targets;
  Plan plan;
  if (has(reducing, me)) {
    o.kind = to_all ? Operation::Kind::allreduce : Operation::Kind::reduce;
    o.members = ranks_of(reducing, *this);
    o.peer = index_of(*o.members, root, *this);
    if (to_all || me == root) o.in = {1, bytes};
    plan.push_back(std::move(o));
  }
  if (!to_all && targets.size() > 1 && wanted) {
    Operation copy = broadcast(targets, root, bytes, *this);
    if (me != root) copy.in = {1, bytes};
    plan.push_back(std::move(copy));
  }
  return plan;
}

}  // namespace reprise::conceptual
