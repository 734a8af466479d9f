// Several traces of one program, on different numbers of ranks, aligned on one tree of loops.
//
// Nothing is aligned pair by pair: the streams of all traces are folded anew, the graphs of which
// call site follows which are united, and the loops of the union are found once. Every stream of
// every trace is parsed on that tree, so that a loop which a small run leaves out, or a branch that
// only some sizes take, is an item without trips there (compress/loops/parse.hpp).
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/loops/loop_tree.hpp"
#include "compress/merge/rank_columns.hpp"
#include "extrapolate/inputs/problem.hpp"
#include "extrapolate/inputs/site_names.hpp"
#include "trace/program.hpp"
#include "trace/values/value.hpp"

namespace reprise::extrapolate {

// A call site: a function at a call path that all inputs know by content.
struct Site {
  trace::FunctionId function{};
  std::size_t input = 0;       // a trace that has the call path
  std::uint32_t callpath = 0;  // index into its Trace::callpaths
};

// One parameter of a site in one run.
struct ColumnSeries {
  // [encodings x ranks] in the order of trace::Encoding; one encoding unless these are ranks. An
  // empty series: the rank never comes here.
  std::vector<std::vector<trace::Series>> encoded;
};

// One input.
struct Run {
  static constexpr std::uint32_t kNoSite = ~std::uint32_t{0};

  std::int64_t ranks = 0;
  std::size_t input = 0;                               // which of the traces
  std::vector<std::uint32_t> site_of_call;             // by Trace::calls; kNoSite: never executed
  std::vector<std::vector<trace::Series>> trips;       // [items x ranks]
  std::vector<std::vector<ColumnSeries>> columns;      // [sites x columns]
  std::vector<std::vector<std::uint64_t>> executions;  // [sites x ranks]
  std::vector<trace::Memberships> places;              // [ranks]
};

struct Aligned {
  compress::FlowGraph graph;
  compress::LoopTree tree;
  std::vector<Site> sites;  // by site of the graph
  std::vector<Run> runs;    // by ranks, then by declared parameters, ascending
  Problem problem;
  std::set<std::int64_t> numbers;  // that all command lines have
};

// `names` are the names of the traces in messages. Fails for traces that are not of one program,
// for two of as many ranks and equal parameters, for several threads a rank, and for damage. Cost:
// all calls of all inputs.
Result<Aligned> align(std::span<const trace::Trace> traces, std::span<const std::string> names,
                      Lookalikes lookalikes, std::span<const ProblemParameter> parameters = {});

}  // namespace reprise::extrapolate
