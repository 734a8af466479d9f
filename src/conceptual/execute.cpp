#include "conceptual/execute.hpp"

#include <algorithm>
#include <numeric>

#include "conceptual/values/progression.hpp"
#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {
namespace {

// Limit of the operations in all plans. Beyond it, plans are discarded and made again.
constexpr std::size_t kMaxPlanned = std::size_t{1} << 20;

std::uint64_t seed_of(std::uint64_t seed, std::int64_t rank) {
  return seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(rank) + 1;
}

std::size_t size_of(const Plan& plan) {
  std::size_t n = 1;
  for (const Operation& o : plan) n += 1 + (o.members ? o.members->size() : 0) + o.sent.size();
  return n;
}

}  // namespace

Executor::Executor(const Program& program, Machine& machine, const Execution& execution)
    : program_(program),
      machine_(machine),
      execution_(execution),
      variables_(program.slots),
      own_random_(seed_of(execution.seed, machine.rank())),
      common_random_(execution.seed),
      evaluator_(variables_, {machine.ranks(), &own_random_}),
      tasks_(variables_, evaluator_, machine.ranks()),
      num_tasks_(machine.ranks()),
      me_(machine.rank()),
      processors_(static_cast<std::size_t>(machine.ranks())),
      plans_(program.ids) {
  std::iota(processors_.begin(), processors_.end(), 0);
  variables_[kNumTasks] = num_tasks_;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    variables_[program.parameters[i].slot] = execution.parameters[i];
}

void Executor::run() {
  tallies_.began_us = machine_.now_us();
  for (const Statement& s : program_.statements) {
    execute(s);
    finish_table();
  }
  if (const std::size_t n = machine_.pending(); n > 0) {
    throw Problem{program_.statements.back().at,
                  std::to_string(n) + (n == 1 ? " operation is" : " operations are") +
                      " still under way when the program ends (nothing awaits what was begun "
                      "ASYNCHRONOUSLY); end with ALL TASKS AWAIT COMPLETION",
                  Finders::some};
  }
}

void Executor::finish_table() {
  table_.compute_aggregates();
  if (!table_.empty()) execution_.write_log(table_.text());
  table_ = {};
}

void Executor::execute(const Statement& s) {
  if (executed_++ >= execution_.most_statements)
    throw Problem{s.at,
                  "the program goes on for too long (more statements than were asked for); "
                  "shorten its loops"};
  now_ = &s;
  std::visit(*this, s.what);
}

bool Executor::is_mine(const Tasks& tasks) {
  return of_this_task([&] { return tasks_.contains(tasks, me_); });
}

void Executor::operator()(const Sequence& s) {
  for (const Statement& part : s.statements) execute(part);
}

// Warm-up iterations are neither counted nor logged.
void Executor::warm_up(bool synchronize, const std::function<void()>& rounds) {
  const Stored before{tallies_, machine_.now_us()};
  ++warming_up_;
  rounds();
  --warming_up_;
  if (synchronize) machine_.synchronize();
  tallies_ = before.tallies;
  tallies_.began_us += machine_.now_us() - before.at_us;
}

void Executor::operator()(const ForCount& s) {
  const std::int64_t count = evaluator_.integer(s.count);
  const std::int64_t warmup = s.warmup ? evaluator_.integer(*s.warmup) : 0;
  if (warmup > 0 || s.synchronize) {
    warm_up(s.synchronize, [&] {
      for (std::int64_t i = 0; i < warmup; ++i) execute(*s.body);
    });
  }
  for (std::int64_t i = 0; i < count; ++i) execute(*s.body);
}

void Executor::operator()(const ForEach& s) {
  for (const Range& range : s.ranges) {
    Progression numbers(range, evaluator_);
    while (const std::optional<std::int64_t> x = numbers.next()) {
      variables_[s.slot] = *x;
      execute(*s.body);
    }
  }
}

// Iterates until all tasks have run for long enough, so that all make the same number of
// iterations.
void Executor::operator()(const ForTime& s) {
  const auto rounds = [&](const Expr& time, std::int64_t unit_us) {
    std::int64_t length = 0;
    if (__builtin_mul_overflow(evaluator_.integer(time), unit_us, &length))
      throw Problem{time.at,
                    "a time is too large (it takes more than 63 bits); take a smaller one"};
    const std::int64_t began = machine_.now_us();
    while (machine_.least(machine_.now_us() - began) < length) execute(*s.body);
  };
  if (s.warmup) warm_up(s.synchronize, [&] { rounds(*s.warmup, s.warmup_unit_us); });
  rounds(s.length, s.unit_us);
}

void Executor::operator()(const Let& s) {
  for (const Binding& b : s.bindings) {
    if (b.kind == Binding::Kind::value) variables_[b.slot] = evaluator_.integer(b.value);
    if (b.kind == Binding::Kind::random_task) variables_[b.slot] = random_task(b);
  }
  execute(*s.body);
}

void Executor::operator()(const If& s) {
  if (evaluator_.holds(s.relation)) {
    execute(*s.then);
  } else if (s.otherwise) {
    execute(*s.otherwise);
  }
}

void Executor::operator()(const Assert& s) {
  if (evaluator_.holds(s.relation)) return;
  throw Problem{now_->at, "the program cannot run like this (it asserts that " + s.text +
                              "); change the number of tasks (-n) or its parameters"};
}

std::int64_t Executor::draw(std::int64_t low, std::int64_t high,
                            std::optional<std::int64_t> but_not) {
  low = std::max<std::int64_t>(low, 0);
  high = std::min(high, num_tasks_ - 1);
  const bool hole = but_not && *but_not >= low && *but_not <= high;
  const std::int64_t n = high - low + 1 - (hole ? 1 : 0);
  if (n <= 0) return -1;
  const auto at = static_cast<std::int64_t>(common_random_() % static_cast<std::uint64_t>(n));
  return low + at + (hole && low + at >= *but_not ? 1 : 0);
}

std::int64_t Executor::random_task(const Binding& b) {
  using Limit = Binding::Limit;
  const std::int64_t value = b.limit == Limit::none ? -1 : evaluator_.integer(b.value);
  std::optional<std::int64_t> but_not;
  if (b.but_not) but_not = evaluator_.integer(*b.but_not);
  switch (b.limit) {
    case Limit::none: return draw(0, num_tasks_ - 1);
    case Limit::other_than: return draw(0, num_tasks_ - 1, value);
    case Limit::less_than: return draw(0, std::min(value, num_tasks_) - 1, but_not);
    case Limit::greater_than:
      return value >= num_tasks_ ? -1 : draw(value + 1, num_tasks_ - 1, but_not);
    case Limit::within: return draw(value, evaluator_.integer(*b.high), but_not);
  }
  return -1;
}

const Plan& Executor::plan_of(const std::function<Plan(const Planner&)>& make, bool cheap) {
  Plans& plans = plans_[now_->id];
  const std::vector<Slot>& slots = now_->depends_on;
  bool same = plans.last != nullptr;
  for (std::size_t i = 0; same && i < slots.size(); ++i)
    same = plans.last_key[i] == variables_[slots[i]];
  if (same) return *plans.last;

  plans.last_key.clear();
  for (const Slot slot : slots) plans.last_key.push_back(variables_[slot]);
  auto found = plans.by_key.find(plans.last_key);
  if (found == plans.by_key.end()) {
    const Planner planner{tasks_, evaluator_, num_tasks_, me_, processors_, machine_.max_tag()};
    Plan plan = make(planner);
    if (cheap) plans.by_key.clear();
    if (!cheap) planned_ += size_of(plan);
    if (planned_ > kMaxPlanned) {
      std::vector<std::int64_t> key = std::move(plans.last_key);
      for (Plans& p : plans_) p = {};
      planned_ = size_of(plan);
      plans.last_key = std::move(key);
    }
    found = plans.by_key.emplace(plans.last_key, std::move(plan)).first;
  }
  plans.last = &found->second;
  return *plans.last;
}

// A message between two named tasks is planned as fast as its plan could be looked up.
template <class S>
void Executor::communicate(const S& s) {
  const Position at = now_->at;
  bool cheap = false;
  if constexpr (std::is_same_v<S, Send> || std::is_same_v<S, Receive>)
    cheap = s.source.kind == Tasks::Kind::single && s.target.kind == Tasks::Kind::single;
  carry_out(plan_of(
      [&](const Planner& planner) {
        if constexpr (std::is_same_v<S, Send>) planner.check_circle(s, at);
        return of_this_task([&] { return planner.of(s); });
      },
      cheap));
}

void Executor::carry_out(const Plan& plan) {
  for (const Operation& o : plan) {
    tallies_.bit_errors += of_this_task([&] { return machine_.execute(o); });
    count(o);
  }
}

void Executor::count(const Operation& o) {
  const auto add = [](Traffic& to, std::int64_t times, std::int64_t messages, std::int64_t bytes) {
    to.messages += times * messages;
    to.bytes += times * bytes;
  };
  if (o.kind == Operation::Kind::send) {
    add(tallies_.sent, o.times, 1, o.bytes);
  } else if (o.kind == Operation::Kind::receive) {
    add(o.asynchronous ? pending_ : tallies_.received, o.times, 1, o.bytes);
  } else {
    add(tallies_.sent, o.times, o.out.messages, o.out.bytes);
    add(tallies_.received, o.times, o.in.messages, o.in.bytes);
  }
}

void Executor::operator()(const Send& s) { communicate(s); }
void Executor::operator()(const Receive& s) { communicate(s); }
void Executor::operator()(const Synchronize& s) { communicate(s); }
void Executor::operator()(const Multicast& s) { communicate(s); }
void Executor::operator()(const Reduce& s) { communicate(s); }

void Executor::operator()(const Await& s) {
  if (!is_mine(s.source) || machine_.pending() == 0) return;
  tallies_.bit_errors += machine_.wait_all();
  tallies_.received.messages += pending_.messages;
  tallies_.received.bytes += pending_.bytes;
  pending_ = {};
}

}  // namespace reprise::conceptual
