#include "write/python/write.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/ends.hpp"
#include "program/build.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"
#include "write/python/body.hpp"
#include "write/python/constants.hpp"
#include "write/python/open.hpp"
#include "write/python/print.hpp"
#include "write/python/text.hpp"
#include "write/python/times.hpp"
#include "write/unwritable.hpp"
#include "write/variables.hpp"

namespace reprise::write::python {
namespace {

using program::Node;

// Python looks for the encoding of a file in its first two lines: nothing of the trace is there.
constexpr std::string_view kHead = R"(#!/usr/bin/env python3
"""Make the MPI calls of a program that was recorded on {0} ranks, and compute as long as it did in between.

    mpirun -n {0} python3 FILE
"""
)";

// The same of a program of any number of ranks. Ranges are words of ours.
constexpr std::string_view kOpenHead = R"(#!/usr/bin/env python3
"""Make the MPI calls of a program on any number of ranks that its laws hold for: {0}.

    mpirun -n RANKS python3 FILE{1}
"""
)";

constexpr std::string_view kImports = R"(
import argparse
import itertools
{0}import os
import sys
import time

import mpi4py

mpi4py.rc.initialize = mpi4py.rc.finalize = False  # the program does
from mpi4py import MPI

world = MPI.COMM_WORLD
rank = 0  # until MPI is initialized
last_site = -1  # number of the last call; -1: none
)";

constexpr std::string_view kEnd = R"(

if __name__ == "__main__":
{0}    options = read_options()
    main()
)";

// The dictionaries of objects, by kind of column.
constexpr std::array kObjectKinds = {trace::Kind::comm, trace::Kind::group,  trace::Kind::datatype,
                                     trace::Kind::op,   trace::Kind::window, trace::Kind::file};

class Writer {
 public:
  Writer(const program::Program& program, times::Detail detail, bool keeps_window_communicators)
      : program_(program),
        detail_(detail),
        keeps_window_communicators_(keeps_window_communicators),
        tables_(program, names_, parts_),
        values_(program, tables_, parts_) {
    for (const program::Grid& g : program.other_grids) {
      for (std::size_t d = 0; d < g.dimensions(); ++d) {
        names_.add(g.prefix + std::string(program::coordinate(d)));
        names_.add(g.prefix + std::string(program::extent(d)));
      }
    }
  }

  std::string run(const std::string& trace_name) {
    BodyWriter writer(program_, values_, names_, parts_, keeps_window_communicators_);
    const Block functions = writer.run();
    for (const Statement& f : functions) {
      if (const auto* d = std::get_if<Function>(&f.content)) used_.merge(names_in(d->body));
    }
    for (const Block* block : {&tables_.constants(), &tables_.of_rank()})
      used_.merge(names_in(*block));
    parts_.insert(RuntimePart::core);
    if (parts_.contains(RuntimePart::messages)) parts_.insert(RuntimePart::buffers);
    if (program_.domain) parts_.insert(RuntimePart::open);
    const Block compute = this->compute(writer.sites());
    const Block starts = start();
    return file(trace_name, functions, compute, starts);
  }

  bool needs_window_communicators() const { return values_.needs_window_communicators(); }

 private:
  Block compute(const std::vector<std::uint32_t>& sites) {
    if (program_.domain) return {compute_table(program_, sites)};
    const trace::Trace& trace = *program_.trace;
    return compute_table(times::find_computations(trace, sites, detail_), sites.size(),
                         trace.streams(), names_, parts_);
  }

  std::string head() const {
    if (!program_.domain) return fmt::format(kHead, program_.trace->ranks);
    std::string options;
    for (std::size_t p = 0; p < program_.sizes.size(); ++p)
      options += fmt::format(" --{} N", program_.sizes[p]);
    return fmt::format(kOpenHead, program_.domain->ranks.describe(), options);
  }

  std::string file(const std::string& trace_name, const Block& functions, const Block& compute,
                   const Block& starts) {
    const trace::Trace& trace = *program_.trace;
    std::string out = head();
    out += fmt::format("# The trace: {}\n", comment_text(trace_name));
    out += fmt::format("# The program: {}\n", comment_text(trace.program));
    if (!program_.domain) {
      for (const std::string& line : analyze::describe_missing_end(trace))
        out += fmt::format("# The run: {}\n", line);
    }
    out += fmt::format(kImports, program_.domain ? "import math\n" : "");
    out += print(constants());
    for (const RuntimePart p : parts_) out += fmt::format("\n\n{}", source_of(p));
    if (!tables_.constants().empty()) {
      out +=
          "\n\n# Values over executions and ranks that no expression tells, and sets of ranks.\n";
      out += print(tables_.constants());
    }
    out += "\n\n# Computation before each call [ns], by the call before it if that matters.\n";
    out += print(compute);
    out += "\n\n" + print(starts);
    for (const Statement& f : functions) out += "\n\n" + print(Block{f});
    out += fmt::format(kEnd, program_.domain ? "    sizes = take_sizes()\n" : "");
    return out;
  }

  // Numbers and the objects that there are from the start.
  Block constants() const {
    Block out;
    if (program_.domain) {
      out.push_back(assign(name("RANKS"), number(0), "until MPI is initialized"));
      std::ranges::move(domain_constants(program_), std::back_inserter(out));
    } else {
      out.push_back(
          assign(name("RANKS"), number(static_cast<std::int64_t>(program_.trace->ranks))));
    }
    if (program_.grid && !program_.domain && parts_.contains(RuntimePart::grid)) {
      std::vector<Expression> extents;
      for (const expr::Expr& e : program_.grid->extents) extents.push_back(number(e.value()));
      out.push_back(assign(name("GRID"), tuple(std::move(extents))));
    }
    for (const trace::Kind kind : kObjectKinds) {
      const std::string dictionary(objects_of(kind)->dictionary);
      if (!used_.contains(dictionary)) continue;
      out.push_back(assign(name(dictionary), dict(from_the_start(kind))));
    }
    if (keeps_window_communicators_) out.push_back(assign(name("comm_of_window"), dict({})));
    return out;
  }

  // What columns may name by a table rather than as a constant.
  std::vector<Entry> from_the_start(trace::Kind kind) const {
    const trace::Column column{"", kind, -1};
    std::vector<Entry> out;
    out.push_back({name("None"), constant(column, trace::kNull)});
    const auto add = [&](std::int64_t v) {
      out.push_back({object_key(kind, v), constant(column, v)});
    };
    switch (kind) {
      case trace::Kind::comm: add(trace::kWorld), add(trace::kSelf); break;
      case trace::Kind::group: add(trace::kEmptyGroup); break;
      default:
        for (const std::int64_t v : named_by_tables(kind)) add(v);
    }
    return out;
  }

  // Datatypes and operations from the start that are named by tables.
  std::set<std::int64_t> named_by_tables(trace::Kind kind) const {
    std::set<std::int64_t> out;
    const std::int64_t first = objects_of(kind)->first;
    const std::function<void(const trace::Series&)> look = [&](const trace::Series& s) {
      for (const trace::Term& t : s.terms()) {
        if (!t.is_run()) {
          look(trace::Series(t.body));
        } else if (!trace::is_special(t.value) && t.value < first) {
          out.insert(t.value);
        }
      }
    };
    const std::function<void(const std::vector<Node>&)> visit =
        [&](const std::vector<Node>& nodes) {
          for (const Node& n : nodes) {
            for (const program::Argument& a : n.arguments) {
              if (a.column.kind == kind) look_at(a.value, look);
            }
            for (std::size_t i = 0; i < n.passed.size(); ++i) {
              const auto* v = std::get_if<program::Value>(&n.passed[i]);
              const auto& column = program_.procedures[n.procedure].parameters[i].column;
              if (v && column && column->kind == kind) look_at(*v, look);
            }
            visit(n.body);
          }
        };
    visit(program_.body);
    for (const program::Procedure& p : program_.procedures) visit(p.body);
    std::erase_if(out, [&](std::int64_t v) { return v < 0; });
    return out;
  }

  static void look_at(const program::Value& v,
                      const std::function<void(const trace::Series&)>& look) {
    for (const program::Case& c : v.cases) {
      if (const auto* s = std::get_if<program::Sequence>(&c.content)) look(s->values);
      if (const auto* s = std::get_if<program::ByStream>(&c.content)) look(s->values);
    }
  }

  // What a rank is, once MPI tells it.
  Block start() {
    Function f{"start", {}, {}};
    std::vector<std::string> globals = {"rank"};
    Block body;
    const auto world = [](const char* method) {
      return call(attribute(name("world"), method), std::vector<Argument>());
    };
    body.push_back(assign(name("rank"), world("Get_rank")));
    if (program_.domain) {
      globals.emplace_back("RANKS");
      body.push_back(assign(name("RANKS"), world("Get_size")));
      body.push_back(domain_check(program_));
      add_open_grids(body, globals);
    } else {
      body.push_back(evaluate(call("check_ranks", {name("RANKS")})));
    }
    if (program_.grid && !program_.domain) {
      const ExpressionNames names = {[](const std::string& v) { return name(v); },
                                     [](std::int64_t v) { return number(v); }};
      for (std::size_t d = 0; d < program_.grid->coordinates.size(); ++d) {
        const std::string coordinate(program::coordinate(d));
        if (!used_.contains(coordinate)) continue;
        globals.push_back(coordinate);
        body.push_back(
            assign(name(coordinate), python_of(program_.grid->coordinates[d], names, parts_)));
      }
    }
    globals.insert(globals.end(), tables_.names_of_rank().begin(), tables_.names_of_rank().end());
    body.insert(body.end(), tables_.of_rank().begin(), tables_.of_rank().end());
    f.body.push_back(evaluate(text("Learn what this rank is.")));
    f.body.push_back({Global{std::move(globals)}});
    std::ranges::move(body, std::back_inserter(f.body));
    return {{std::move(f)}};
  }

  // Grids of all ranks, of which something is asked for.
  void add_open_grids(Block& body, std::vector<std::string>& globals) {
    const bool has_steps = parts_.contains(RuntimePart::grid);
    if (program_.grid && (has_steps || is_named(*program_.grid, used_))) {
      std::ranges::move(grid_variables(*program_.grid, parts_, globals), std::back_inserter(body));
      if (has_steps) {
        std::vector<Expression> extents;
        for (std::size_t d = 0; d < program_.grid->dimensions(); ++d)
          extents.push_back(name(program_.grid->prefix + std::string(program::extent(d))));
        globals.emplace_back("GRID");
        body.push_back(assign(name("GRID"), tuple(std::move(extents))));
      }
    }
    for (const program::Grid& g : program_.other_grids) {
      if (g.of_communicator || !is_named(g, used_)) continue;
      std::ranges::move(grid_variables(g, parts_, globals), std::back_inserter(body));
    }
  }

  const program::Program& program_;
  times::Detail detail_;
  bool keeps_window_communicators_;
  Names names_ = python_names();
  Parts parts_;
  Tables tables_;
  Values values_;
  std::set<std::string> used_;
};

void check(const trace::Trace& trace) {
  if (trace.threads > 1)
    throw Unwritable{
        "its ranks have several threads, and a trace does not record how those interact"};
  for (const trace::Call& c : trace.calls) {
    const trace::Function& f = trace::function(c.function);
    if (trace::begins_mpi(f) && !(f.traits & trace::traits::kInit))
      throw Unwritable{fmt::format("{} (mpi4py 3.1 does not have sessions)", f.name)};
  }
}

Result<std::string> written(const program::Program& program, const std::string& trace_name,
                            times::Detail detail) {
  try {
    check(*program.trace);
    Writer writer(program, detail, false);
    std::string out = writer.run(trace_name);
    if (!writer.needs_window_communicators()) return out;
    return Writer(program, detail, true).run(trace_name);
  } catch (const Unwritable& e) {
    return Error{fmt::format("{} cannot be written in Python: {}", trace_name, e.reason)};
  }
}

}  // namespace

Result<std::string> write(const program::Program& program, const std::string& trace_name) {
  return written(program, trace_name, times::Detail::mean);
}

Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          times::Detail detail) {
  return written(program::explain(trace), trace_name, detail);
}

}  // namespace reprise::write::python
