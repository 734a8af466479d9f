#include "write/c/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "analyze/ends.hpp"
#include "base/escape.hpp"
#include "base/printable.hpp"
#include "program/build.hpp"
#include "write/c/body.hpp"
#include "write/c/calls/receives.hpp"
#include "write/c/data/sites.hpp"
#include "write/c/data/table_file.hpp"
#include "write/c/data/times.hpp"
#include "write/c/language/names.hpp"
#include "write/c/language/print.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {
namespace {

// The parts in the order of the header.
constexpr std::string_view kParts[] = {
#include "c_runtime.inc"
};

// What is known only when a program was written once.
struct Findings {
  std::set<trace::Kind> arrays;      // kinds of objects that are in arrays
  std::set<trace::Kind> calculated;  // those that are in arrays by number
  bool keeps_window_communicators = false;
  bool learns_place = false;  // something hangs on the rank

  bool operator==(const Findings&) const = default;
};

class Writer {
 public:
  Writer(const program::Program& program, const Findings& findings, times::Detail detail)
      : program_(program),
        findings_(findings),
        names_(c_names()),
        tables_(program, names_),
        objects_(program, names_, findings.arrays, findings.calculated),
        laws_(program, objects_, names_),
        values_(program, tables_, objects_, laws_, names_),
        body_(program, values_, names_, findings.keeps_window_communicators, findings.learns_place),
        functions_(body_.run()),
        times_(laws_.is_open()
                   ? laws_.computation(body_.sites(), names_)
                   : time_rows(times::find_computations(*program.trace, body_.sites(), detail),
                               program.trace->streams(), names_)) {
    for (const Statement& f : functions_) {
      if (const auto* d = std::get_if<Function>(&f.content)) used_.merge(names_in(d->body));
    }
    used_.merge(names_in(tables_.of_rank()));
    for (const Block& block : {tables_.functions(), laws_.functions()}) {
      for (const Statement& f : block) {
        if (const auto* d = std::get_if<Function>(&f.content)) used_.merge(names_in(d->body));
      }
    }
  }

  Findings findings() const {
    return {objects_.asked_by_key(), objects_.asked_by_calculation(),
            values_.needs_window_communicators(), learns_place()};
  }

  // `tables_name`: of the file for long tables; empty: they are in the program.
  Source source(const std::string& tables_name) {
    const SiteTables site_tables =
        c::site_tables(*program_.trace, body_.sites(), times_.of_sites, !laws_.is_open());
    Block tables = tables_.definitions(), times = times_.definitions;
    Block functions = learns_place() ? learn_place() : Block{};
    TableFile file(tables_name);
    if (!tables_name.empty()) file.take({&tables, &times, &functions});
    Source out{print(constants()), {}};
    section(out.program, "", objects());
    section(out.program, "", tables_.neighbors());
    section(out.program, "The same, so many steps away.", tables_.distant_neighbors());
    section(out.program, "", tables_.groups());
    if (!file.is_empty()) {
      out.tables = file.text();
      section(out.program, "Where the words of long tables are put, which stand in a file.",
              file.definitions());
    }
    section(out.program,
            "Values over executions and ranks that no expression tells, and sets of ranks.",
            std::move(tables));
    section(out.program, "", laws_.functions());
    section(out.program, "Values over executions that follow from the number of ranks.",
            tables_.functions());
    section(out.program, "Messages that are drawn.", body_.exchanges());
    // Sites and times are for reference: they follow the functions.
    section(out.program, "",
            {{Declare{"static const struct benchmark", "benchmark"}, "at the end"}});
    functions.insert(functions.end(), functions_.begin(), functions_.end());
    for (const Statement& f : functions)
      section(out.program, &f == &functions.front() ? "The program." : "", {f});
    section(out.program,
            laws_.is_open()
                ? "The calls by number, with the computation before each [ns], and the functions."
                : "The calls by number, with the computation before each [ns], and what the trace "
                  "has of each function.",
            site_tables.definitions);
    section(out.program, "Computation that differs between ranks, or from time to time [ns].",
            std::move(times));
    section(out.program, "", {self(site_tables, !file.is_empty())});
    return out;
  }

 private:
  // Ranks and places in the grid, none more than there are ranks.
  ExpressionNames own_variables() const {
    return {
        [](const std::string& v) { return name(v == expr::kRanks ? "RANKS" : v); },
        [](std::int64_t v) { return number(v); },
        [this](const std::string&) { return static_cast<std::int64_t>(program_.trace->ranks); }};
  }

  static void section(std::string& out, const std::string& comment, Block block) {
    if (block.empty()) return;
    if (!comment.empty()) block.insert(block.begin(), {Comment{comment}});
    out += "\n" + print(block);
  }

  std::vector<std::string> coordinates() const {
    std::vector<std::string> out;
    for (std::size_t d = 0; program_.grid && d < program_.grid->extents.size(); ++d) {
      const std::string c(program::coordinate(d));
      if (used_.contains(c)) out.push_back(c);
    }
    return out;
  }

  bool learns_place() const {
    return laws_.is_open() || !findings_.calculated.empty() || !tables_.of_rank().empty() ||
           !coordinates().empty();
  }

  Block constants() const {
    Block out;
    if (laws_.is_open()) {
      out = laws_.domain();
      out.push_back({Declare{"static int", "RANKS"}, "in MPI_COMM_WORLD"});
      std::ranges::move(laws_.variables(used_), std::back_inserter(out));
      return out;
    }
    out.push_back(
        {Enumeration{{{"RANKS", number(static_cast<std::int64_t>(program_.trace->ranks))}}}});
    if (!program_.grid) return out;
    const std::vector<std::string> used = coordinates();
    if (used_.contains("GRID")) {
      std::vector<Expression> extents;
      for (const expr::Expr& e : program_.grid->extents)
        extents.push_back(c_of(e, own_variables()));
      out.push_back({Declare{"static const int", "GRID", "[]", list(std::move(extents))}});
    }
    if (used.empty()) return out;
    out.push_back({Declare{"static int", fmt::format("{}", fmt::join(used, ", "))},
                   "where the rank is in the grid"});
    return out;
  }

  Block objects() const {
    Block out = objects_.definitions();
    if (findings_.keeps_window_communicators)
      out.push_back({Declare{"static MPI_Comm", "comm_of_window",
                             fmt::format("[{}]", objects_.size(trace::Kind::window))}});
    return out;
  }

  Statement self(const SiteTables& tables, bool has_file) const {
    const auto count = [](std::size_t n) { return number(static_cast<std::int64_t>(n)); };
    std::vector<Entry> members;
    if (laws_.is_open()) {
      members = laws_.members();
    } else {
      members = {{"ranks", name("RANKS")}};
    }
    const std::vector<Entry> of_all = {{"sites", count(body_.sites().size())},
                                       {"site", name("sites")},
                                       {"functions", count(tables.functions)},
                                       {"total", name("totals")}};
    members.insert(members.end(), of_all.begin(), of_all.end());
    // Of laws, some may say so for some numbers of ranks.
    if (laws_.is_open() || sends_single_elements(*program_.trace))
      members.push_back({"keeps_receives", number(1)});
    if (body_.has_main_loop()) members.push_back({"has_main_loop", number(1)});
    const auto add_rows = [&](const char* number, std::size_t rows, const char* member,
                              const char* table) {
      if (rows == 0) return;
      members.push_back({number, count(rows)});
      members.push_back({member, name(table)});
    };
    add_rows("computations", times_.rows, "computation", "computations");
    add_rows("overlaps", times_.overlaps, "overlap", "overlaps");
    if (has_file) members.push_back({"stored", address_of(name("stored"))});
    return {
        Declare{"static const struct benchmark", "benchmark", "", initializer(std::move(members))}};
  }

  Block learn_place() {
    Function f{"void", "learn_place", {}, {}};
    if (laws_.is_open()) f.body = laws_.assignments(used_);
    for (std::size_t d = 0; !laws_.is_open() && program_.grid && d < program_.grid->dimensions();
         ++d) {
      const std::string c(program::coordinate(d));
      if (used_.contains(c))
        f.body.push_back(assign(name(c), c_of(program_.grid->coordinates[d], own_variables())));
    }
    for (const Block& more : {objects_.assignments(), tables_.of_rank()})
      f.body.insert(f.body.end(), more.begin(), more.end());
    return {{std::move(f)}};
  }

  const program::Program& program_;
  Findings findings_;
  Names names_;
  Tables tables_;
  Objects objects_;
  Laws laws_;
  Values values_;
  BodyWriter body_;
  Block functions_;
  TimeRows times_;
  std::set<std::string> used_;
};

// Written until nothing new is found: kinds of objects move into arrays only.
Source source_of(const program::Program& program, const std::string& tables_name,
                 times::Detail detail) {
  Findings known;
  for (;;) {
    Writer writer(program, known, detail);
    Findings found = writer.findings();
    found.arrays.insert(known.arrays.begin(), known.arrays.end());
    found.calculated.insert(known.calculated.begin(), known.calculated.end());
    if (found == known) return writer.source(tables_name);
    known = std::move(found);
  }
}

std::optional<std::string> refusal(const trace::Trace& trace) {
  if (trace.threads <= 1) return std::nullopt;
  return fmt::format(
      "this trace cannot be written in C: each rank has {} threads that call MPI, and in which "
      "order they take turns is not in a trace; record with one thread a rank",
      trace.threads);
}

std::string heading(const program::Program& program, const std::string& trace_name,
                    const std::string& tables_name, const std::vector<std::string>& remarks) {
  const trace::Trace& trace = *program.trace;
  const std::string of = program.domain
                             ? fmt::format("any number of ranks that its laws hold for\n * ({})",
                                           program.domain->ranks.describe())
                             : fmt::format("recorded on {} ranks", trace.ranks);
  std::string out = fmt::format(
      "/* The MPI calls and the computation of a program {}:\n{}"
      " * Written by reprise generate from {}. Compile it with mpicc; -h lists its options.",
      program.domain ? "on " + of : "that was " + of,
      broken_lines({" *   ", " *     "}, in_c_comment(trace.program)), in_c_comment(trace_name));
  if (!tables_name.empty())
    out += fmt::format("\n * It reads {}, which belongs beside the program.",
                       in_c_comment(tables_name));
  if (!program.domain) {
    for (const std::string& line : analyze::describe_missing_end(trace))
      out += "\n * The run: " + line + ".";
  }
  for (const std::string& remark : remarks) out += "\n * " + in_c_comment(remark);
  return out + " */\n";
}

}  // namespace

std::string runtime() {
  std::string out;
  for (const std::string_view& part : kParts) {
    if (!out.empty()) out += "\n";
    out += part;
  }
  return out;
}

Result<Source> write(const program::Program& program, const std::string& trace_name,
                     const Options& options) {
  if (const auto why = refusal(*program.trace)) return Error{*why};
  try {
    const bool are_beside = options.parts == Parts::beside;
    Source out = source_of(program, are_beside ? options.tables_name : "", options.times);
    const std::string text = std::move(out.program);
    out.program = heading(program, trace_name, out.tables.empty() ? "" : options.tables_name,
                          options.remarks);
    if (are_beside) {
      out.program += fmt::format("#include \"{}\"\n\n", kRuntimeFile);
    } else {
      out.program += "\n" + runtime() + "\n";
    }
    out.program += text;
    return out;
  } catch (const Unwritable& e) {
    return Error{fmt::format("this {}trace cannot be written in C: {}",
                             program.domain ? "scalable " : "", e.reason)};
  }
}

Result<Source> write(const trace::Trace& trace, const std::string& trace_name,
                     const Options& options) {
  if (const auto why = refusal(trace)) return Error{*why};
  return write(program::explain(trace), trace_name, options);
}

}  // namespace reprise::write::c
