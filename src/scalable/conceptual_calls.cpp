#include "scalable/conceptual_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyze/executions.hpp"
#include "expr/simplify.hpp"
#include "scalable/law_terms.hpp"
#include "scalable/unwritable.hpp"
#include "trace/places.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"
#include "transform/align.hpp"
#include "write/conceptual/collectives.hpp"
#include "write/conceptual/true_calls.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using extrapolate::Law;
using extrapolate::Parameter;
using trace::Trace;
using write::conceptual::Operation;
using write::conceptual::Verb;
namespace traits = trace::traits;

// Each member has its own, rather than all the same.
bool is_each(Verb v) { return v >= Verb::reduce_each; }

// Without numbers of calls, which follow the number of ranks.
void take_names(const std::map<std::string, std::uint64_t>& from,
                std::map<std::string, std::uint64_t>& to) {
  for (const auto& [name, calls] : from) to.emplace(name, 0);
}

// The error of another stage: problem (why); suggestion, or without that.
Unwritable of_other(const Error& error) {
  return {error.message, error.message.find("; ") != std::string::npos};
}

// The numbers that an expression may come to, as far as they are told.
void add_numbers(const Expr& e, std::set<std::int64_t>& out) {
  if (e.is_constant()) out.insert(e.value());
  if (e.op() != expr::Op::conditional) return;
  add_numbers(e.operands()[1], out);
  add_numbers(e.operands()[2], out);
}

}  // namespace

ConceptualCalls::ConceptualCalls(const ScalableTrace& scalable,
                                 write::conceptual::Substitutes substitutes, TaskLaws& laws)
    : scalable_(scalable),
      substitutes_(substitutes),
      laws_(laws),
      columns_(scalable.program.sites.size()) {
  for (const Parameter& p : scalable.program.parameters) {
    if (!p.slot.is_trips()) columns_[p.slot.site].push_back(&p.law);
  }
  find_types();
  find_groups();
  read_samples();
}

const trace::Function& ConceptualCalls::function(std::uint32_t site) const {
  return trace::function(scalable_.program.sites[site].function);
}

void ConceptualCalls::refuse(std::uint32_t site, const std::string& why) const {
  const extrapolate::Site& s = scalable_.program.sites[site];
  throw Unwritable{trace::describe_call(scalable_.frame, s.function, s.callpath) + ": " + why};
}

const Law* ConceptualCalls::column(std::uint32_t site, std::string_view name) const {
  const auto scalars = function(site).scalars;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i].name == name) return columns_[site][i];
  }
  return nullptr;
}

const Law& ConceptualCalls::needed(std::uint32_t site, std::string_view name) const {
  const Law* law = column(site, name);
  if (law == nullptr) refuse(site, "it has no " + std::string(name));
  return *law;
}

const Law* ConceptualCalls::elements(std::uint32_t site, std::string_view name) const {
  const trace::Function& f = function(site);
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (f.lists[l].name == name) return columns_[site][f.scalars.size() + 2 * l + 1];
  }
  return nullptr;
}

// What the calls do on the numbers of ranks that the laws come from.
void ConceptualCalls::read_samples() {
  const auto& ranks = scalable_.program.ranks;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    Wanted wanted{.ranks = ranks[i], .times = false};
    for (const auto& p : scalable_.parameters) wanted.parameters.emplace_back(p.name, p.values[i]);
    auto trace = instantiate(scalable_, wanted);
    if (!trace) throw of_other(trace.error());
    auto aligned = transform::align(std::move(*trace));
    if (!aligned) throw of_other(aligned.error());
    if (aligned->mismatch || aligned->aligned.united > 0) {
      throw Unwritable{
          "ranks come to one collective in different places (a statement speaks of all at once)"};
    }
    Trace& of_sample = aligned->aligned.trace;
    auto operations = write::conceptual::find_task_operations(of_sample, substitutes_);
    if (!operations) throw of_other(operations.error());
    take_names(operations->called, found_.called);
    take_names(operations->changed, found_.changed);
    take_names(operations->left_out, found_.left_out);
    found_.done_as.insert(operations->done_as.begin(), operations->done_as.end());
    std::vector<std::uint32_t> call_of(scalable_.program.sites.size());
    for (std::uint32_t c = 0; c < scalable_.program.order.size(); ++c)
      call_of[scalable_.program.order[c]] = c;
    samples_.push_back({std::move(of_sample), std::move(*operations), std::move(call_of)});
  }
}

// Datatypes that have one size wherever they are made.
void ConceptualCalls::find_types() {
  for (std::uint32_t s = 0; s < columns_.size(); ++s) {
    const Law *made = column(s, "newtype"), *size = column(s, "newtype_size");
    if (made == nullptr || size == nullptr) continue;
    const auto number = constant_of(*made), bytes = constant_of(*size);
    if (!number) continue;
    const auto [known, is_new] = type_sizes_.emplace(*number, bytes.value_or(-1));
    if (known->second != bytes) known->second = -1;
  }
}

// Communicators of all ranks in their order, and those that MPI_Comm_split makes of all. A number
// that any site gives to another one is left out, and so is what is made of that.
void ConceptualCalls::find_groups() {
  std::set<std::int64_t> unknown;
  for (std::size_t before = 1; before != unknown.size();) {
    before = unknown.size();
    groups_.clear();
    groups_[trace::kWorld] = {.place = Expr::variable(expr::kRank)};
    for (std::uint32_t s = 0; s < columns_.size(); ++s) {
      const Law* made = column(s, "newcomm");
      if (made == nullptr) continue;
      const auto number = constant_of(*made);
      if (!number) {
        if (const auto e = expression_of(*made)) add_numbers(*e, unknown);
        continue;
      }
      if (trace::is_special(*number)) continue;
      const std::optional<LawGroup> group = made_group(s, unknown);
      if (!group) {
        unknown.insert(*number);
        continue;
      }
      const auto [known, is_new] = groups_.emplace(*number, *group);
      if (!is_new && !(known->second == *group)) unknown.insert(*number);
    }
  }
  for (const std::int64_t number : unknown) groups_.erase(number);
}

// The group of the communicator that a site makes, if its members can be said.
std::optional<LawGroup> ConceptualCalls::made_group(std::uint32_t site,
                                                    const std::set<std::int64_t>& unknown) {
  const Law *rank = column(site, "newcomm_rank"), *size = column(site, "newcomm_size"),
            *color = column(site, "color"), *of = column(site, "comm");
  if (rank == nullptr || size == nullptr) return std::nullopt;
  try {
    LawGroup out{.place = laws_.value(*rank, std::nullopt)};
    out.is_world = out.place == Expr::variable(expr::kRank) &&
                   laws_.value(*size, std::nullopt) == Expr::variable(expr::kRanks);
    if (out.is_world) return out;
    const auto parent = of == nullptr ? std::nullopt : constant_of(*of);
    const bool is_of_all = parent && !unknown.contains(*parent) && groups_.contains(*parent) &&
                           groups_[*parent].is_world;
    if (color == nullptr || !is_of_all) return std::nullopt;
    out.color = laws_.value(*color, std::nullopt);
    return out;
  } catch (const Unwritable&) {
    return std::nullopt;
  }
}

LawGroup ConceptualCalls::group_of(std::uint32_t site) const {
  const auto number = constant_of(needed(site, "comm"));
  const auto found = number ? groups_.find(*number) : groups_.end();
  if (found == groups_.end())
    refuse(site, "its communicator is none of all ranks, or that MPI_Comm_split makes of all");
  return found->second;
}

std::int64_t ConceptualCalls::size_of(std::uint32_t site, std::string_view datatype) const {
  const auto number = constant_of(needed(site, datatype));
  if (!number) refuse(site, "ranks or executions differ in its " + std::string(datatype));
  if (const auto own = type_sizes_.find(*number); own != type_sizes_.end() && own->second >= 0)
    return own->second;
  const std::int64_t size = trace::predefined_type_size(*number);
  if (size < 0) refuse(site, "the size of its " + std::string(datatype) + " follows no law");
  return size;
}

Expr ConceptualCalls::bytes(std::uint32_t site, std::string_view count, std::string_view datatype,
                            const std::optional<Expr>& place) {
  return expr::simplify(laws_.value(needed(site, count), place) * Expr(size_of(site, datatype)));
}

std::vector<LawOperation> ConceptualCalls::of(std::uint32_t site,
                                              const std::optional<Expr>& place) {
  const trace::Function& f = function(site);
  std::vector<LawOperation> out;
  const bool is_told = write::conceptual::collective_of(f, substitutes_).has_value();
  if (f.traits & traits::kProbe) {
    // left out
  } else if (f.traits & (traits::kSend | traits::kRecv)) {
    out = message(site, place);
  } else if (is_told && (f.traits & traits::kCollective)) {
    out.push_back(collective(site, place));
  }
  check(site, out);
  return out;
}

std::vector<LawOperation> ConceptualCalls::message(std::uint32_t site,
                                                   const std::optional<Expr>& place) {
  const trace::Function& f = function(site);
  if (f.traits & traits::kPersistent)
    refuse(site, "what it prepares is started elsewhere, as often as that follows the ranks");
  if (!group_of(site).is_world)
    refuse(site, "its peers are ranks of a communicator that is not of all");
  const bool later = (f.traits & traits::kNonblocking) != 0;
  const bool sends = (f.traits & traits::kSend) != 0, receives = (f.traits & traits::kRecv) != 0;
  const bool both = sends && receives;
  const bool apart = column(site, "sendcount") != nullptr;
  std::vector<LawOperation> out;
  const auto add = [&](Verb verb, const char* peer, const std::string& side) {
    LawOperation o{verb};
    o.peer = laws_.peer(needed(site, peer), place);
    if (o.peer == Expr(trace::kAnySource)) refuse(site, "it receives from anybody");
    o.bytes =
        bytes(site, apart ? side + "count" : "count", apart ? side + "type" : "datatype", place);
    o.tag = laws_.value(needed(site, both ? side + "tag" : "tag"), place);
    if (o.tag == Expr(trace::kAnyTag)) refuse(site, "it receives messages of any tag");
    out.push_back(std::move(o));
  };
  if (sends) add(later || both ? Verb::send_later : Verb::send, "dest", "send");
  if (receives && column(site, "source") == nullptr)
    refuse(site, "it receives what was probed for");
  if (receives) add(later ? Verb::receive_later : Verb::receive, "source", "recv");
  return out;
}

LawOperation ConceptualCalls::collective(std::uint32_t site, const std::optional<Expr>& place) {
  const auto c = *write::conceptual::collective_of(function(site), substitutes_);
  if (c.is_spread || c.is_averaged || c.verb == Verb::exchange)
    refuse(site, "its sizes are not written for any number of ranks");
  LawOperation out{c.verb, group_of(site)};
  if (substitutes_ == write::conceptual::Substitutes::none &&
      write::conceptual::true_call(c.name) != nullptr)
    out.called = c.name;
  if (write::conceptual::has_root(c.verb)) {
    out.peer = laws_.peer(needed(site, "root"), place);
    if (!out.group.is_world && !out.peer.is_constant(0))
      refuse(site, "its root is not the first rank of a communicator that is not of all");
    // The representative of a group is its first member.
    if (!out.group.is_world) out.peer = Expr::variable("g");
  }
  if (c.verb != Verb::barrier) out.bytes = own_bytes(site, std::string(c.name), place);
  return out;
}

// Of each member, or to each, as the reader of traces has it.
Expr ConceptualCalls::own_bytes(std::uint32_t site, const std::string& function,
                                const std::optional<Expr>& place) {
  if (function == "Reduce_scatter") {
    const Law* counts = elements(site, "recvcounts");
    if (!group_of(site).is_world || counts == nullptr)
      refuse(site, "its counts are of a communicator that is not of all");
    const Expr own =
        laws_.element(*counts, Expr::variable(expr::kRank), Expr::variable(expr::kRanks));
    return expr::simplify(own * Expr(size_of(site, "datatype")));
  }
  if (function == "Reduce_scatter_block") return bytes(site, "recvcount", "datatype", place);
  if (column(site, "count") != nullptr) return bytes(site, "count", "datatype", place);
  const bool receives = function == "Scatter" || function == "Scatterv";
  return receives ? bytes(site, "recvcount", "recvtype", place)
                  : bytes(site, "sendcount", "sendtype", place);
}

// Holds what was found against what the samples do there, and adds the completion that they have.
void ConceptualCalls::check(std::uint32_t site, std::vector<LawOperation>& operations) const {
  bool awaits = false, idles = false;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample& sample = samples_[i];
    const auto ranks = static_cast<std::int64_t>(sample.trace.ranks);
    const std::uint32_t call = sample.call_of[site];
    analyze::Executions executions(sample.trace);
    for (std::int64_t r = 0; r < ranks; ++r) {
      const auto stream = static_cast<std::uint64_t>(r);
      const std::uint64_t times = executions.of(call, stream);
      if (times == 0) continue;
      std::vector<const Operation*> done;
      std::vector<trace::ValueCursor> completions;
      for (const Operation& o : sample.operations.calls[call]) {
        if (o.verb == Verb::await) {
          completions.emplace_back(o.active, stream);
        } else if (trace::ValueCursor(o.active, stream).next() == 1) {
          done.push_back(&o);
        }
      }
      std::vector<const LawOperation*> said;
      for (const LawOperation& o : operations) {
        if (laws_.at(o.peer, r, ranks, i) != trace::kProcNull) said.push_back(&o);
      }
      if (said.size() != done.size())
        refuse(site, "what it does follows requests that are made elsewhere");
      for (std::size_t k = 0; k < said.size(); ++k) {
        if (said[k]->verb != done[k]->verb)
          refuse(site, "what it does follows requests that are made elsewhere");
        check_values(site, *said[k], *done[k], i, stream);
      }
      for (std::uint64_t k = 0; k < times; ++k) {
        std::int64_t all = 0;
        for (trace::ValueCursor& c : completions) all += c.next();
        awaits = awaits || all > 0;
        // Of those that send and receive at once, only who sends has something to await.
        const bool is_due =
            operations.empty() || std::ranges::any_of(said, [](const LawOperation* o) {
              return o->verb == Verb::send_later;
            });
        idles = idles || (all > 0) != is_due;
      }
    }
  }
  if (!awaits) return;
  if (idles)
    refuse(site, "it completes some requests while others stay pending (the language awaits all)");
  LawOperation await{Verb::await};
  if (!operations.empty()) await.peer = operations.front().peer;
  operations.push_back(std::move(await));
}

// In the first execution.
void ConceptualCalls::check_values(std::uint32_t site, const LawOperation& o,
                                   const Operation& found, std::size_t sample,
                                   std::uint64_t stream) const {
  const auto rank = static_cast<std::int64_t>(stream);
  const auto ranks = static_cast<std::int64_t>(samples_[sample].trace.ranks);
  const auto is = [&](const Expr& said, const trace::Value& value) {
    return laws_.at(said, rank, ranks, sample) == trace::ValueCursor(value, stream).next();
  };
  bool right = true;
  if (!write::conceptual::is_collective(o.verb)) {
    const auto peer = trace::ValueCursor(found.peer, stream).next();
    right = laws_.at(o.peer, rank, ranks, sample) ==
                trace::decode_rank(found.peer.encoding, peer, rank, ranks) &&
            is(o.bytes, found.bytes) && is(o.tag, found.tag);
  } else if (o.verb != Verb::barrier &&
             (is_each(o.verb) || laws_.at(o.group.place, rank, ranks, sample) == 0)) {
    right = is(o.bytes, found.bytes);
  }
  if (!right) refuse(site, "its laws do not say what it moves");
}

}  // namespace reprise::scalable
