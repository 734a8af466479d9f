// reprise diff: whether two traces say the same, and if not, where they part and how much differs.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyze/compare/compare.hpp"
#include "analyze/totals/executions.hpp"
#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using analyze::Comparison;
using nlohmann::ordered_json;

struct DiffOptions {
  std::string a, b;
  std::vector<std::string> ignore;
  bool json = false;
};

void print_json(const Comparison& c) {
  ordered_json out{{"equal", c.equal()},
                   {"ranks", {c.ranks_a, c.ranks_b}},
                   {"differing_ranks", c.differing_ranks},
                   {"changed_calls", c.changed},
                   {"calls_only_in", {c.only_a, c.only_b}}};
  if (const auto& d = c.first) {
    const auto call = [](const std::optional<std::string>& text, const std::string& place) {
      return text ? ordered_json{{"call", *text}, {"callpath", place}} : ordered_json(nullptr);
    };
    out["first"] = {{"rank", d->rank},
                    {"thread", d->thread},
                    {"position", d->position},
                    {"columns", d->columns},
                    {"calls", {call(d->a, d->place_a), call(d->b, d->place_b)}}};
  }
  for (const auto& [function, counts] : c.functions) {
    if (counts.a != counts.b) out["functions"][function] = {counts.a, counts.b};
  }
  say_json(out);
}

void print_call(const std::string& file, const std::optional<std::string>& call,
                const std::string& place) {
  say("  {}: {}\n", file, call ? *call : "(the rank's calls have ended)");
  if (!place.empty()) say("  {:>{}}  {}\n", "", file.size(), place);
}

std::uint64_t calls_of(const trace::Trace& t) {
  analyze::Executions executions(t);
  const std::vector<std::uint64_t>& some = executions.representatives();
  std::vector<std::uint64_t> streams(some.size(), 0);
  for (std::uint64_t s = 0; s < t.streams(); ++s) ++streams[executions.class_of(s)];
  std::uint64_t out = 0;
  for (std::size_t c = 0; c < some.size(); ++c) {
    for (std::uint32_t call = 0; call < t.calls.size(); ++call)
      out += streams[c] * executions.of(call, some[c]);
  }
  return out;
}

// What equal traces have in common. Times are never compared.
void print_equal(const trace::Trace& a, const DiffOptions& o) {
  std::vector<std::string> parameters;  // those ignored, or kinds of them
  const auto ignores = [&](std::string_view word) {
    return std::ranges::find(o.ignore, word) != o.ignore.end();
  };
  for (const std::string& word : o.ignore) {
    if (word != "callpaths" && word != "times" && word != "threads") parameters.push_back(word);
  }
  std::vector<std::string> left_out{"times"};
  if (ignores("callpaths")) left_out.emplace_back("call paths");
  if (ignores("threads")) left_out.emplace_back("threads");
  say("{} and {} are equal: {} on {}, in order, with {}all parameters{}{}; {} not compared\n", o.a,
      o.b, counted(calls_of(a), "call"), counted(a.ranks, "rank"),
      ignores("callpaths") ? "" : "call paths and ", parameters.empty() ? "" : " except ",
      fmt::join(parameters, ", "), fmt::join(left_out, ", "));
}

void print_text(const Comparison& c, const DiffOptions& o) {
  if (c.ranks_a != c.ranks_b) {
    say("{0} has {1}, {2} has {3}: their calls were not compared (each rank is compared with the "
        "same rank of the other trace); see the program of each with reprise show, or their times "
        "side by side with reprise analyze {0} {2}\n",
        o.a, counted(c.ranks_a, "rank"), o.b, c.ranks_b);
    return;
  }
  say("{} and {} differ on {} of {}\n\n", o.a, o.b, c.differing_ranks, counted(c.ranks_a, "rank"));
  say("first on rank {}{}, in call {} (the first is 0){}{}:\n", c.first->rank,
      c.first->thread ? fmt::format(" thread {}", c.first->thread) : "", c.first->position,
      c.first->columns.empty() ? "" : ", by ", fmt::join(c.first->columns, ", "));
  print_call(o.a, c.first->a, c.first->place_a);
  print_call(o.b, c.first->b, c.first->place_b);
  say("\n{} changed, {} only in {}, {} only in {}\n", counted(c.changed, "call"),
      count_text(c.only_a), o.a, count_text(c.only_b), o.b);
  Table table({"function", o.a, o.b, "difference"}, 1);
  bool any = false;
  for (const auto& [function, counts] : c.functions) {
    if (counts.a == counts.b) continue;
    any = true;
    const std::string more = counts.b > counts.a ? "+" + count_text(counts.b - counts.a)
                                                 : "-" + count_text(counts.a - counts.b);
    table.add({function, count_text(counts.a), count_text(counts.b), more});
  }
  say("{}", any ? "\ncalls, where their numbers differ:\n" + table.text()
                : "each function is called equally often\n");
}

void run(const DiffOptions& o) {
  analyze::Ignored ignored;
  for (const std::string& word : o.ignore) {
    if (!ignored.add(word)) {
      throw CommandError{
          fmt::format(
              "--ignore has an unknown name {} (no call has such a parameter); use "
              "callpaths, times, polls, handles, proc_null, matches, threads, or a parameter "
              "such as tag",
              word),
          2};
    }
  }
  // Trouble with the files is status 2: 1 says that they differ.
  const auto read = [](const std::string& file) {
    return open_trace(file, analyze::Use::calls, trace::Accept::traces, 2);
  };
  const trace::Trace a = read(o.a), b = read(o.b);
  const Comparison c = analyze::compare(a, b, ignored);
  if (c.damaged_a || c.damaged_b) throw CommandError{damaged_message(c.damaged_a ? o.a : o.b), 2};
  if (o.json) {
    print_json(c);
  } else if (c.equal()) {
    print_equal(a, o);
  } else {
    print_text(c, o);
  }
  if (!c.equal()) throw CommandError{"", 1};
}

}  // namespace

void add_diff(CLI::App& app) {
  auto o = std::make_shared<DiffOptions>();
  CLI::App* sub = app.add_subcommand("diff", "Compare the calls of two traces, rank by rank");
  sub->add_option("trace", o->a, "A trace")->required();
  sub->add_option("other_trace", o->b, "The trace to compare it with")->required();
  sub->add_option(
         "--ignore", o->ignore,
         "Differences to ignore, separated by commas: callpaths, times, polls (unsuccessful "
         "tests), handles (which of several requests completed, where MPI may use one handle for "
         "all: sends, messages to MPI_PROC_NULL, collectives of one rank), proc_null (buffer, "
         "count and datatype of messages to and from MPI_PROC_NULL), matches (the messages that "
         "wildcards matched, and the requests that MPI_Waitany and MPI_Waitsome completed), "
         "threads (which "
         "thread of a rank made the call), or names of parameters")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_flag("--json", o->json, "Print the result in JSON");
  sub->footer(
      "The calls of each rank are compared in order, regardless of how the traces are folded. "
      "After a difference, calls\nare paired up to the point where three in a row are equal again, "
      "within 64 calls:\n  changed    a pair of the same function, with other parameters or at "
      "another call path\n  only in A  a call without a partner in B, and vice versa\nThe pairing "
      "in order with the fewest differences counts: an inserted or removed call is one "
      "difference.\n\n"
      "For equal traces the report says what was compared; times are never compared.\n"
      "The exit status is 0 if the traces are equal, 1 if they differ, 2 if one cannot be read.\n\n"
      "Example: reprise diff --ignore callpaths,polls app.reprise replayed.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
