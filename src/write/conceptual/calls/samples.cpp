#include "write/conceptual/calls/samples.hpp"

#include <algorithm>
#include <map>

#include "analyze/totals/executions.hpp"
#include "expr/program.hpp"
#include "trace/values/special.hpp"
#include "transform/align.hpp"
#include "write/conceptual/values.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;

constexpr const char* kElsewhere = "it depends on requests that are created elsewhere";

// Each member has its own, rather than all the same.
bool is_each(Verb v) { return v >= Verb::reduce_each; }

// Without numbers of calls, which follow the number of ranks.
void take_names(const std::map<std::string, std::uint64_t>& from,
                std::map<std::string, std::uint64_t>& to) {
  for (const auto& [name, calls] : from) to.emplace(name, 0);
}

std::size_t most_loops(const std::vector<program::Node>& nodes) {
  std::size_t out = 0;
  for (const program::Node& n : nodes) {
    const std::size_t inner = most_loops(n.body);
    out = std::max(out, inner + (n.kind == program::Node::Kind::loop ? 1 : 0));
  }
  return out;
}

}  // namespace

Samples::Samples(std::span<const Sample> samples, const program::Program& program,
                 const Names& names, const OpenNumbers& numbers, Substitutes substitutes)
    : program_(program), names_(names), numbers_(numbers), substitutes_(substitutes) {
  variables_ = {std::string(expr::kRank), std::string(expr::kRanks)};
  for (const std::string& size : program.sizes) variables_.push_back(parameter_of(size));
  for (std::string& extent : numbers.extents()) variables_.push_back(std::move(extent));
  for (std::size_t d = 0; d < most_loops(program.body); ++d)
    variables_.push_back(program::loop_index(d));
  for (const Sample& s : samples) add(s);
}

void Samples::add(const Sample& sample) {
  auto aligned = transform::align(sample.trace);
  if (!aligned) throw Unwritable{aligned.error().message, std::string()};
  if (aligned->mismatch || aligned->aligned.united > 0) {
    throw Unwritable{
        "ranks execute one collective in different places (a statement applies to all ranks at "
        "once)"};
  }
  Known known{std::move(aligned->aligned.trace), sample.call_of, {}, {}};
  auto operations = find_task_operations(known.trace, substitutes_);
  if (!operations) throw Unwritable{operations.error().message, std::string()};
  known.operations = std::move(*operations);
  take_names(known.operations.called, found_.called);
  take_names(known.operations.changed, found_.changed);
  take_names(known.operations.left_out, found_.left_out);
  found_.done_as.insert(known.operations.done_as.begin(), known.operations.done_as.end());
  const auto ranks = static_cast<std::int64_t>(known.trace.ranks);
  const auto extents = numbers_.extents_on(ranks);
  if (!extents) throw Unwritable{"some numbers of ranks that its laws hold for have no grid"};
  known.slots.push_back(ranks);
  known.slots.insert(known.slots.end(), sample.sizes.begin(), sample.sizes.end());
  known.slots.insert(known.slots.end(), extents->begin(), extents->end());
  samples_.push_back(std::move(known));
}

// What the expression comes to on a rank, before any loop has gone round; nothing without a value.
std::optional<std::int64_t> Samples::at(const Expr& e, const Known& on, std::int64_t rank) const {
  if (e.is_constant()) return e.value();
  const auto compiled = expr::Program::compile(names_.written_out(e), variables_);
  if (!compiled) return std::nullopt;
  std::vector<std::int64_t> slots = {rank};
  slots.insert(slots.end(), on.slots.begin(), on.slots.end());
  slots.resize(variables_.size(), 0);
  return compiled->run(slots);
}

void Samples::check(std::uint32_t call, std::vector<TaskOperation>& operations) const {
  bool awaits = false, idles = false;
  for (const Known& sample : samples_) {
    const std::uint32_t there = sample.call_of[call];
    analyze::Executions executions(sample.trace);
    for (std::uint64_t r = 0; r < sample.trace.ranks; ++r) {
      const std::uint64_t times = executions.of(there, r);
      if (times == 0) continue;
      std::vector<const Operation*> done;
      std::vector<trace::ValueCursor> completions;
      for (const Operation& o : sample.operations.calls[there]) {
        if (o.verb == Verb::await) {
          completions.emplace_back(o.active, r);
        } else if (trace::ValueCursor(o.active, r).next() == 1) {
          done.push_back(&o);
        }
      }
      std::vector<const TaskOperation*> said;
      for (const TaskOperation& a : operations) {
        if (at(a.peer, sample, static_cast<std::int64_t>(r)) != trace::kProcNull)
          said.push_back(&a);
      }
      if (said.size() != done.size()) throw Unwritable{kElsewhere};
      for (std::size_t k = 0; k < said.size(); ++k) {
        if (said[k]->verb != done[k]->verb) throw Unwritable{kElsewhere};
        check_values(*said[k], *done[k], sample, r);
      }
      for (std::uint64_t k = 0; k < times; ++k) {
        std::int64_t all = 0;
        for (trace::ValueCursor& c : completions) all += c.next();
        awaits = awaits || all > 0;
        // Of those that send and receive at once, only who sends has something to await.
        const bool is_due =
            operations.empty() || std::ranges::any_of(said, [](const TaskOperation* a) {
              return a->verb == Verb::send_later || is_of_messages(a->verb);
            });
        idles = idles || (all > 0) != is_due;
      }
    }
  }
  if (!awaits) return;
  if (idles) {
    throw Unwritable{
        "it completes some requests while others stay pending (the language awaits all)"};
  }
  TaskOperation await{.verb = Verb::await};
  if (!operations.empty()) await.peer = operations.front().peer;
  operations.push_back(std::move(await));
}

// In the first execution.
void Samples::check_values(const TaskOperation& a, const Operation& found, const Known& on,
                           std::uint64_t stream) const {
  const auto rank = static_cast<std::int64_t>(stream);
  const auto ranks = static_cast<std::int64_t>(on.trace.ranks);
  const auto is = [&](const Expr& said, const trace::Value& value) {
    return at(said, on, rank) == trace::ValueCursor(value, stream).next();
  };
  bool right = true;
  if (!is_collective(a.verb)) {
    const auto peer = trace::ValueCursor(found.peer, stream).next();
    right = at(a.peer, on, rank) == trace::decode_rank(found.peer.encoding, peer, {rank, ranks}) &&
            is(a.bytes, found.bytes) && is(a.tag, found.tag);
  } else if (a.verb != Verb::barrier) {
    // All are as the first member says.
    const bool is_told = a.place ? at(*a.place, on, rank) == 0 : rank == 0;
    if (is_each(a.verb) || is_told) right = is(a.bytes, found.bytes);
  }
  if (!right) throw Unwritable{"its laws do not give the bytes that it moves"};
}

}  // namespace reprise::write::conceptual
