#include "write/conceptual/tasks.hpp"

#include "analyze/totals/executions.hpp"
#include "trace/series/series_folder.hpp"
#include "write/conceptual/times/times.hpp"

namespace reprise::write::conceptual {
namespace {

using trace::Call;
using trace::Item;
using trace::Kind;
using trace::Value;

Kind kind_of(Term term) {
  switch (term) {
    case Term::peer: return Kind::peer;
    case Term::tag: return Kind::tag;
    default: return Kind::bytes;
  }
}

class Builder {
 public:
  Builder(const trace::Trace& from, TaskOperations operations, times::Detail detail)
      : from_(from), times_(find_task_times(from, detail)) {
    out_.operations = std::move(operations);
  }

  TaskTrace run() {
    out_.trace = from_;
    out_.trace.calls.clear();
    out_.trace.times.clear();
    for (std::uint32_t c = 0; c < from_.calls.size(); ++c) of_call_.push_back(steps_of(c));
    out_.trace.root = item(from_.root);
    return std::move(out_);
  }

 private:
  Item item(const Item& i) const {
    Item out;
    out.trips = i.trips;
    if (i.is_call()) {
      out.body = of_call_[i.call];
      return out;
    }
    for (const Item& inner : i.body) {
      Item one = item(inner);
      if (!one.body.empty()) out.body.push_back(std::move(one));
    }
    return out;
  }

  std::vector<Item> steps_of(std::uint32_t c) {
    std::vector<Item> out;
    if (c < times_.size()) {
      for (const TaskTime& time : times_[c]) out.push_back(compute(c, time));
    }
    for (const Operation& o : out_.operations.calls[c]) out.push_back(operation(c, o));
    return out;
  }

  Item compute(std::uint32_t c, const TaskTime& time) {
    Step step{.call = c,
              .is_compute = true,
              .unit = time.unit,
              .first_fraction = time.first_fraction,
              .draw = time.draw,
              .terms = {}};
    std::vector<Value> values;
    add(step, Term::length, time.length, values);
    return added(std::move(step), std::move(values), time.active);
  }

  Item operation(std::uint32_t c, const Operation& o) {
    Step step{.call = c, .verb = o.verb, .is_world = o.is_world, .terms = {}};
    std::vector<Value> values;
    const bool is_message = !is_collective(o.verb) && o.verb != Verb::await;
    if (is_message || has_root(o.verb)) add(step, Term::peer, o.peer, values);
    const bool has_bytes =
        o.verb != Verb::await && o.verb != Verb::barrier && o.verb != Verb::exchange;
    if (has_bytes) add(step, Term::bytes, o.bytes, values);
    if (is_message) add(step, Term::tag, o.tag, values);
    if (is_collective(o.verb) && !o.is_world) add(step, Term::leader, o.leader, values);
    if (o.verb == Verb::exchange) {
      step.terms.push_back(Term::elements);
      step.columns.lists.push_back({"", Kind::bytes, -1});
      values.push_back(Value::constant(static_cast<std::int64_t>(from_.ranks)));
      values.push_back(o.elements);
    }
    return added(std::move(step), std::move(values), o.active);
  }

  static void add(Step& step, Term term, const Value& value, std::vector<Value>& values) {
    step.terms.push_back(term);
    step.columns.scalars.push_back({"", kind_of(term), -1});
    values.push_back(value);
  }

  Item added(Step step, std::vector<Value> values, const Value& active) {
    Call call = from_.calls[step.call];
    call.columns = std::move(values);
    Item out;
    out.trips = active;
    out.call = static_cast<std::uint32_t>(out_.trace.calls.size());
    out_.trace.calls.push_back(std::move(call));
    out_.steps.push_back(std::move(step));
    return out;
  }

  const trace::Trace& from_;
  std::vector<std::vector<TaskTime>> times_;
  TaskTrace out_;
  std::vector<std::vector<Item>> of_call_;
};

}  // namespace

const program::Value* Step::value(const program::Node& node, Term term) const {
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (terms[k] == term) return &node.arguments[k].value;
  }
  return nullptr;
}

Result<TaskTrace> task_trace(const trace::Trace& trace, Substitutes substitutes,
                             times::Detail detail) {
  auto operations = find_task_operations(trace, substitutes);
  if (!operations) return operations.error();
  return Builder(trace, std::move(*operations), detail).run();
}

}  // namespace reprise::write::conceptual
