#include "scalable/scalable_trace.hpp"

#include <algorithm>

#include "compress/loops/loop_tree.hpp"
#include "extrapolate/grids/frozen_extents.hpp"
#include "extrapolate/inputs/callpaths.hpp"
#include "extrapolate/laws/absence.hpp"
#include "extrapolate/values/instantiate.hpp"
#include "trace/values/special.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using extrapolate::Parameter;
using extrapolate::ProblemParameter;
using extrapolate::Request;
using extrapolate::Scalable;
using extrapolate::Site;
using program::Domain;
using program::Range;
using trace::Trace;
using trace::Value;

// What instantiating may take: enough for what laws of sense have on so many ranks [steps].
constexpr std::uint64_t kSteps = std::uint64_t{1} << 24;
constexpr std::uint64_t kStepsOfARank = 128;

// The loops without how often they go round.
trace::Item lay_out(const LoopTree& tree, std::uint32_t item) {
  trace::Item out;
  if (tree.items[item].site != LoopTree::kBody) {
    out.call = tree.items[item].site;
    return out;
  }
  for (const std::uint32_t i : tree.items[item].body) out.body.push_back(lay_out(tree, i));
  return out;
}

Trace frame_of(const Scalable& program, std::span<const Trace> traces) {
  const Trace& largest = *std::ranges::max_element(traces, {}, &Trace::ranks);
  Trace out;
  out.program = largest.program;
  out.mpi = largest.mpi;
  out.date = largest.date;
  out.ranks = largest.ranks;
  out.symbolized = largest.symbolized;
  out.options = largest.options;
  extrapolate::CallpathCopier callpaths(out);
  for (const Site& site : program.sites) {
    trace::Call& call = out.calls.emplace_back();
    call.function = site.function;
    call.callpath = callpaths.copy(traces[site.input], site.callpath);
    call.columns.assign(trace::function(site.function).columns(), Value::constant(trace::kNone));
  }
  out.root = lay_out(program.tree, 0);
  return out;
}

// The value of a size that was not said.
Result<std::int64_t> wanted_of(const ScalableTrace& scalable, std::size_t p, const Wanted& wanted) {
  const ProblemParameter& parameter = scalable.parameters[p];
  const Range& range = scalable.domain.parameters[p];
  const auto said = std::ranges::find(wanted.parameters, parameter.name,
                                      &std::pair<std::string, std::int64_t>::first);
  if (said == wanted.parameters.end()) {
    if (range.least == range.most) return range.least;
    return Error{parameter.name + " has no value (it is a parameter of the laws, which hold for " +
                     range.describe() + "); add --at " + parameter.name + "=N",
                 Error::Kind::usage};
  }
  if (range.contains(said->second)) return said->second;
  return Error{"the laws do not say what " + parameter.name + " = " + std::to_string(said->second) +
               " brings (they hold for " + range.describe() +
               "); choose another, or fit traces of such sizes"};
}

Result<Request> request_of(const ScalableTrace& scalable, const Wanted& wanted) {
  if (!scalable.domain.ranks.contains(wanted.ranks)) {
    return Error{"the laws do not say what happens on " + std::to_string(wanted.ranks) +
                 " ranks (they hold for " + scalable.domain.ranks.describe() +
                 "); choose another number, or fit traces on more kinds of them"};
  }
  for (const auto& said : wanted.parameters) {
    if (std::ranges::none_of(scalable.parameters,
                             [&](const auto& p) { return p.name == said.first; })) {
      return Error{"the laws do not have the size " + said.first +
                       " (it was not declared when they were fitted); leave it out",
                   Error::Kind::usage};
    }
  }
  Request out{.ranks = wanted.ranks, .grid = wanted.grid};
  const auto usual = kSteps + kStepsOfARank * static_cast<std::uint64_t>(wanted.ranks);
  out.steps = wanted.steps > 0 ? wanted.steps : usual;
  out.parameters = scalable.parameters;
  for (std::size_t p = 0; p < out.parameters.size(); ++p) {
    const auto value = wanted_of(scalable, p, wanted);
    if (!value) return value.error();
    out.parameters[p].wanted = *value;
  }
  return out;
}

// Laws of which there are several at the wanted number alone, as grids there are wider.
Status check_extents(const ScalableTrace& scalable, const Request& request) {
  const Scalable& program = scalable.program;
  const extrapolate::Grids grids{program.grids.rules, program.grids.seen, request.grid};
  const extrapolate::FrozenExtents frozen(program.ranks, request.ranks, grids);
  // Trips are the first parameters, in the order of the items.
  const extrapolate::TripsLaws trips = [&](std::uint32_t item) {
    return &program.parameters[item].law;
  };
  for (const Parameter& p : program.parameters) {
    std::optional<extrapolate::NumberLaw> absent;
    if (!p.law.local) {
      absent = certain_absence(extrapolate::absence(p.shape, trips), program.sites, p.slot);
    }
    const auto doubt = frozen.doubt(p.law, meaning_of(program.sites, p.slot), absent);
    if (!doubt || p.law.given) continue;
    const auto name = name_of(p.slot, program.tree, program.sites, scalable.traces());
    return Error{"the " + name.text() + " is not known on so many ranks: " + *doubt};
  }
  return {};
}

Scalable with_sizes(const ScalableTrace& scalable, const Request& request, const Wanted& wanted) {
  Scalable out = scalable.program;
  std::vector<std::size_t> runs(out.ranks.size());
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = i;
  out.problem = extrapolate::Problem(request.parameters, runs);
  if (!wanted.times) out.times = {};
  return out;
}

}  // namespace

ScalableTrace make_scalable(Scalable program, std::span<const Trace> traces,
                            std::vector<ProblemParameter> parameters, Domain domain) {
  ScalableTrace out;
  out.frame = frame_of(program, traces);
  out.parameters = std::move(parameters);
  for (std::size_t p = 0; p < out.parameters.size(); ++p) {
    for (std::size_t run = 0; run < program.ranks.size(); ++run) {
      out.parameters[p].values[run] = program.problem.of_run(run)[p];
    }
  }
  out.program = std::move(program);
  for (std::uint32_t s = 0; s < out.program.sites.size(); ++s) {
    out.program.sites[s].input = 0;
    out.program.sites[s].callpath = out.frame.calls[s].callpath;
  }
  out.program.problem = {};
  for (extrapolate::TimeLaw& law : out.program.times.laws) {
    extrapolate::drop_measures(law);
    law.measured = {};
    for (extrapolate::TimeLaw& mode : law.modes) mode.measured = {};
  }
  out.domain = std::move(domain);
  out.excuses = extrapolate::excuses_of(traces);
  return out;
}

Status check_wanted(const ScalableTrace& scalable, const Wanted& wanted) {
  const auto request = request_of(scalable, wanted);
  if (!request) return request.error();
  return check_extents(scalable, *request);
}

Result<Trace> instantiate(const ScalableTrace& scalable, const Wanted& wanted) {
  const auto request = request_of(scalable, wanted);
  if (!request) return request.error();
  if (const Status sure = check_extents(scalable, *request); !sure) return sure.error();
  return extrapolate::instantiate(with_sizes(scalable, *request, wanted), scalable.traces(),
                                  *request);
}

Result<Scalable> program_at(const ScalableTrace& scalable, const Wanted& wanted) {
  const auto request = request_of(scalable, wanted);
  if (!request) return request.error();
  return with_sizes(scalable, *request, wanted);
}

}  // namespace reprise::scalable
