// Statements that each task executes on its own.
#include <algorithm>
#include <limits>

#include "conceptual/execute.hpp"
#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {

void Executor::refresh_counters() {
  variables_[kElapsedUsecs] = machine_.now_us() - tallies_.began_us;
  variables_[kBitErrors] = tallies_.bit_errors;
  variables_[kBytesReceived] = tallies_.received.bytes;
  variables_[kBytesSent] = tallies_.sent.bytes;
  variables_[kMsgsReceived] = tallies_.received.messages;
  variables_[kMsgsSent] = tallies_.sent.messages;
  variables_[kTotalBytes] = tallies_.received.bytes + tallies_.sent.bytes;
  variables_[kTotalMsgs] = tallies_.received.messages + tallies_.sent.messages;
}

void Executor::operator()(const Delay& s) {
  if (!is_mine(s.source)) return;
  refresh_counters();
  const std::int64_t n = of_this_task([&] { return evaluator_.integer(s.length); });
  std::int64_t us = 0;
  if (n < 0 || __builtin_mul_overflow(n, s.unit_us, &us))
    throw Problem{s.length.at,
                  "a time is " + std::to_string(n) +
                      " of its unit (it cannot be negative, or longer than 63 bits "
                      "of microseconds); check the expression",
                  Finders::some};
  s.how == Delay::How::sleep ? machine_.sleep_us(us) : machine_.spin_us(us);
}

std::string Executor::text_of(const Item& item) {
  if (item.kind == Item::Kind::comment) return execution_.comment(item.text);
  if (item.kind == Item::Kind::text) return item.text;
  // An integer variable keeps all its digits, which a real number would not.
  if (item.number.op == Op::variable) return std::to_string(variables_[item.number.slot]);
  return number_text(of_this_task([&] { return evaluator_.real(item.number); }));
}

void Executor::operator()(const Output& s) {
  if (warming_up_ > 0 || !is_mine(s.source)) return;
  refresh_counters();
  std::string line;
  for (const Item& item : s.items) line += text_of(item);
  machine_.print(line + '\n');
}

// The program's clock does not count the time that logging takes.
void Executor::operator()(const Log& s) {
  if (warming_up_ > 0 || !is_mine(s.source)) return;
  const std::int64_t before = machine_.now_us();
  refresh_counters();
  of_this_task([&] {
    for (const Column& c : s.columns) table_.add(c, text_of(c.title), evaluator_.real(c.expr));
  });
  tallies_.began_us += machine_.now_us() - before;
}

void Executor::operator()(const ComputeAggregates& s) {
  if (warming_up_ > 0 || !is_mine(s.source)) return;
  const std::int64_t before = machine_.now_us();
  table_.compute_aggregates();
  tallies_.began_us += machine_.now_us() - before;
}

void Executor::operator()(const Counters& s) {
  if (!is_mine(s.source)) return;
  const std::int64_t now = machine_.now_us();
  switch (s.action) {
    case Counters::Action::reset:
      tallies_ = {};
      tallies_.began_us = now;
      return;
    case Counters::Action::store: stored_.push_back({tallies_, now}); return;
    case Counters::Action::restore: break;
  }
  if (stored_.empty())
    throw Problem{now_->at,
                  "counters are restored that were not stored (there are more RESTORES "
                  "than STORES); store them first",
                  Finders::some};
  tallies_ = stored_.back().tallies;
  tallies_.began_us += now - stored_.back().at_us;
  stored_.pop_back();
}

void Executor::operator()(const Touch& s) {
  if (!is_mine(s.source)) return;
  refresh_counters();
  of_this_task([&] {
    const std::int64_t size = bytes_of(evaluator_.integer(s.size), s.unit, s.size.at);
    const std::int64_t element = bytes_of(s.element);
    const std::int64_t stride =
        s.random   ? 0
        : s.stride ? bytes_of(evaluator_.integer(*s.stride), s.stride_unit, s.stride->at)
                   : element;
    const std::int64_t times = s.times ? evaluator_.integer(*s.times) : 1;
    if (size < element || times < 0)
      throw Problem{s.size.at, "the memory region has no room for what is touched (it has " +
                                   std::to_string(size) + " bytes); make it larger"};
    if (!s.random && stride == 0)
      throw Problem{s.size.at, "the stride is 0 (it has to be positive); take at least 1"};
    std::int64_t touches =
        s.touches ? evaluator_.integer(*s.touches) : size / (s.random ? element : stride);
    if (touches < 0 || __builtin_mul_overflow(touches, times, &touches))
      throw Problem{s.size.at,
                    "the number of touches is negative or too large (it has 63 bits); check it"};
    try {
      region_.touch(now_->id,
                    {.touches = touches, .size = size, .element = element, .stride = stride});
    } catch (const std::bad_alloc&) {
      throw Problem{
          s.size.at,
          "the memory region is too large (there is not so much memory); make it smaller"};
    } catch (const std::length_error&) {
      throw Problem{
          s.size.at,
          "the memory region is too large (there is not so much memory); make it smaller"};
    }
  });
}

// Tasks swap processors, so that each still has one.
void Executor::assign(std::int64_t task, std::int64_t processor) {
  const auto owner = std::find(processors_.begin(), processors_.end(), processor);
  if (owner == processors_.end())
    throw Problem{now_->at, "there is no processor " + std::to_string(processor) +
                                " (they are 0 to " + std::to_string(num_tasks_ - 1) +
                                "); take one of them"};
  std::swap(*owner, processors_[static_cast<std::size_t>(task)]);
}

// Every rank tracks the processors of all tasks.
void Executor::operator()(const Assign& s) {
  tasks_.for_each(s.source, TaskSets::kNoTask, [&](std::int64_t task) {
    assign(task, s.processor ? evaluator_.integer(*s.processor) : draw(0, num_tasks_ - 1));
  });
  const auto mine = std::find(processors_.begin(), processors_.end(), machine_.rank());
  me_ = mine - processors_.begin();
  for (Plans& p : plans_) p = {};
}

void Executor::operator()(const Backend&) {
  throw Problem{now_->at,
                "BACKEND EXECUTES is not executed (its text is source code for the "
                "compiler of coNCePTuaL); leave it out"};
}

}  // namespace reprise::conceptual
