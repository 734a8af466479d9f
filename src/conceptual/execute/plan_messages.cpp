// Messages from one task to another, and how large they are.
#include <unistd.h>

#include <limits>
#include <string>

#include "conceptual/execute/message_sizes.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::int64_t kMaxBytes = std::numeric_limits<int>::max();

}  // namespace

std::int64_t bytes_of(Unit unit) {
  switch (unit) {
    case Unit::bit:
    case Unit::byte: return 1;
    case Unit::halfword: return 2;
    case Unit::word:
    case Unit::integer: return 4;
    case Unit::doubleword: return 8;
    case Unit::quadword: return 16;
    case Unit::page: return ::sysconf(_SC_PAGESIZE);
    case Unit::kilobyte: return std::int64_t{1} << 10;
    case Unit::megabyte: return std::int64_t{1} << 20;
    case Unit::gigabyte: return std::int64_t{1} << 30;
  }
  return 1;
}

std::int64_t bytes_of(std::int64_t n, Unit unit, Position at) {
  if (n < 0)
    throw Problem{at, "a size is " + std::to_string(n) +
                          " (it cannot be negative); check the "
                          "expression"};
  if (unit == Unit::bit) return n / 8 + (n % 8 != 0);
  std::int64_t out = 0;
  if (__builtin_mul_overflow(n, bytes_of(unit), &out))
    throw Problem{at, "a size is too large (it takes more than 63 bits); take a smaller one"};
  return out;
}

Sizes sizes_of(const Message& m, const Planner& planner) {
  Sizes out;
  out.count = planner.evaluator.integer(m.count);
  if (out.count < 0)
    throw Problem{m.count.at, "there are " + std::to_string(out.count) +
                                  " messages (a count cannot be negative); check the expression"};
  out.bytes = bytes_of(planner.evaluator.integer(m.size), m.unit, m.size.at);
  check_bytes(out.bytes, m.size.at);
  if (m.tag) out.tag = tag_of(*m.tag, planner);
  return out;
}

std::int64_t tag_of(const Expr& tag, const Planner& planner) {
  const std::int64_t out = planner.evaluator.integer(tag);
  if (out >= 0 && out <= planner.max_tag) return out;
  throw Problem{tag.at, "the tag is " + std::to_string(out) + " (MPI takes 0 to " +
                            std::to_string(planner.max_tag) + "); take one of those"};
}

void check_bytes(std::int64_t bytes, Position at) {
  if (bytes <= kMaxBytes) return;
  throw Problem{at, "a message has " + std::to_string(bytes) + " bytes (MPI counts up to " +
                        std::to_string(kMaxBytes) + "); send several smaller ones"};
}

namespace {

Operation message(Operation::Kind kind, const Message& m, std::int64_t rank,
                  const Planner& planner) {
  const Sizes sizes = sizes_of(m, planner);
  Operation out;
  out.kind = kind;
  out.times = sizes.count;
  out.bytes = sizes.bytes;
  out.tag = sizes.tag;
  out.peer = rank;
  out.touching = m.touching;
  out.verification = m.verification;
  return out;
}

void append(Plan& plan, Operation operation) {
  if (operation.times > 0) plan.push_back(std::move(operation));
}

}  // namespace

// As the language defines it: all of a task's receives come before its sends, both in increasing
// order of source and target.
Plan Planner::of(const Send& s) const {
  Plan out;
  if (!s.unsuspecting) {
    tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t from) {
      if (!tasks.contains(s.target, me, from)) return;
      Operation o = message(Operation::Kind::receive, s.message,
                            processors[static_cast<std::size_t>(from)], *this);
      o.asynchronous = s.received_asynchronously;
      o.touching = s.received_touching;
      o.verification = s.received_verification;
      if (s.received_tag) o.tag = tag_of(*s.received_tag, *this);
      append(out, std::move(o));
    });
  }
  if (!tasks.contains(s.source, me)) return out;
  tasks.for_each(s.target, me, [&](std::int64_t to) {
    Operation o =
        message(Operation::Kind::send, s.message, processors[static_cast<std::size_t>(to)], *this);
    o.asynchronous = s.asynchronously;
    append(out, std::move(o));
  });
  return out;
}

Plan Planner::of(const Receive& s) const {
  Plan out;
  const auto receive = [&](std::int64_t from) {
    Operation o = message(Operation::Kind::receive, s.message,
                          processors[static_cast<std::size_t>(from)], *this);
    o.asynchronous = s.asynchronously;
    append(out, std::move(o));
  };
  if (s.target_first) {
    if (tasks.contains(s.target, me)) tasks.for_each(s.source, me, receive);
    return out;
  }
  tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t from) {
    if (tasks.contains(s.target, me, from)) receive(from);
  });
  return out;
}

// With a single source, only a send to itself can wait forever.
void Planner::check_itself(const Send& s, Position at) const {
  tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t task) {
    if (!tasks.contains(s.target, task, task) || evaluator.integer(s.message.count) <= 0) return;
    throw Problem{at, "task " + std::to_string(task) +
                          " would wait for itself for ever (it first receives what it is to send "
                          "afterwards); send ASYNCHRONOUSLY and AWAIT COMPLETION"};
  });
}

void Planner::check_circle(const Send& s, Position at) const {
  if (s.unsuspecting || s.received_asynchronously) return;
  if (s.source.kind == Tasks::Kind::single) return check_itself(s, at);
  const auto n = static_cast<std::size_t>(num_tasks);
  std::vector<std::vector<std::uint32_t>> targets(n);
  std::vector<std::size_t> awaited(n, 0);
  std::size_t edges = 0;
  tasks.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t from) {
    if (edges > kMaxEdges || evaluator.integer(s.message.count) <= 0) return;
    tasks.for_each(s.target, from, [&](std::int64_t to) {
      targets[static_cast<std::size_t>(from)].push_back(static_cast<std::uint32_t>(to));
      ++awaited[static_cast<std::size_t>(to)];
      ++edges;
    });
  });
  if (edges > kMaxEdges) return;
  std::vector<std::size_t> free;
  std::size_t left = n;
  for (std::size_t t = 0; t < n; ++t) {
    if (awaited[t] == 0) free.push_back(t);
  }
  while (!free.empty()) {
    const std::size_t t = free.back();
    free.pop_back();
    --left;
    for (const std::uint32_t to : targets[t]) {
      if (--awaited[to] == 0) free.push_back(to);
    }
  }
  if (left == 0) return;
  std::size_t first = 0;
  while (awaited[first] == 0) ++first;
  throw Problem{at, "tasks would wait for each other for ever, task " + std::to_string(first) +
                        " among them (each first receives what another of them is to send "
                        "afterwards); send ASYNCHRONOUSLY and AWAIT COMPLETION"};
}

}  // namespace reprise::conceptual
