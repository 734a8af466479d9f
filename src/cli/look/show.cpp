// reprise show: the trace as indented pseudo-code, or call by call.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analyze/compare/project.hpp"
#include "analyze/ends.hpp"
#include "analyze/text/describe.hpp"
#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate/scalable.hpp"
#include "cli/look/show_json.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/wrappers.hpp"
#include "program/build.hpp"
#include "scalable/explain.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/rank_set.hpp"
#include "write/text/layout.hpp"

namespace reprise::cli {
namespace {

struct ShowOptions {
  std::string file, wrappers;
  std::optional<std::int64_t> rank, thread;
  bool flat = false;
  bool callpaths = false;
  bool full = false;
  std::size_t width = write::kWidth;
  bool json = false;
};

constexpr const char* kBold = "\033[1m";
constexpr const char* kDim = "\033[2m";
constexpr const char* kPlain = "\033[0m";

std::string in_color(bool color, const char* how, const std::string& text) {
  return color && !text.empty() ? how + text + kPlain : text;
}

std::string text_of(const write::Words& words, bool color) {
  std::string out;
  for (const write::Word& w : words.list()) {
    const std::string text = printable(w.text);
    const std::size_t end = w.strong ? std::min(text.find('('), text.size()) : 0;
    out +=
        (out.empty() ? "" : " ") + in_color(color, kBold, text.substr(0, end)) + text.substr(end);
  }
  return out;
}

// The program, and how its ranks are named if `with_ranks`.
void print_program(const program::Program& program, const ShowOptions& o, bool with_ranks = true) {
  const bool color = use_color();
  const write::Listing listing =
      write::list_program(program, {.full = o.full, .callpaths = o.callpaths});
  for (std::size_t i = 0; with_ranks && i < listing.ranks.size(); ++i) {
    for (const std::string& line : write::lay_out_comment(listing.ranks[i], o.width))
      say("{}\n", line);
  }
  for (const write::Row& row : write::lay_out(listing.lines, o.width)) {
    fmt::print("{:{}}{}{:{}}{}\n", "", row.indent, text_of(row.words, color), "", row.padding,
               in_color(color, kDim, printable(row.place)));
  }
}

// Behind the program: what had not returned when the run ended.
void print_unfinished(const trace::Trace& unfinished, const ShowOptions& o) {
  if (unfinished.calls.empty()) return;
  say("# calls that had not returned\n");
  ShowOptions full = o;
  full.full = true;
  print_program(program::explain(unfinished), full, false);
}

void show_laws(const trace::Trace& t, const ShowOptions& o) {
  if (o.flat || o.rank || o.thread || o.json) {
    throw CommandError{o.file +
                       " is a scalable trace (it holds laws for any number of ranks, and the calls "
                       "of none); leave the options out, or make a trace of it with `reprise "
                       "extrapolate " +
                       o.file + " --ranks P`"};
  }
  const scalable::ScalableTrace s = laws_of(t, o.file);
  say("{}", scalable_header(s));
  print_program(scalable::explain(s), o);
}

void print_flat(const trace::Trace& t, std::uint64_t stream, const ShowOptions& o) {
  const trace::Trace full = trace::with_unfinished(t);
  const trace::Places places(full);
  trace::Cursor cursor(full, stream);
  while (cursor.next()) {
    const bool has_returned = cursor.event().call < t.calls.size();
    const std::string text =
        analyze::describe_event(cursor.event()) + (has_returned ? "" : " # had not returned");
    if (o.callpaths) {
      say("{}  {}\n", text, places.path_text(full.calls[cursor.event().call].callpath));
    } else {
      say("{}\n", text);
    }
  }
  if (cursor.damaged()) throw CommandError{damaged_message(o.file)};
}

// The command, broken as the program is.
std::string command_lines(const trace::Trace& t, std::size_t width) {
  std::string out;
  for (const std::string& line : write::lay_out_comment(program_text(t.program), width))
    out += line + "\n";
  return out;
}

std::string header(const trace::Trace& t, std::size_t width) {
  std::string out = fmt::format("{}# {}, {}{}\n", command_lines(t, width), printable(t.mpi),
                                counted(t.ranks, "rank"),
                                t.threads > 1 ? fmt::format(", {} threads", t.threads) : "");
  for (const std::string& line : analyze::describe_missing_end(t)) out += "# " + line + "\n";
  return out;
}

// The streams that are asked for.
std::vector<std::uint64_t> chosen_streams(const trace::Trace& t, const ShowOptions& o) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t s = 0; s < t.streams(); ++s) {
    const auto rank = static_cast<std::int64_t>(s / t.threads);
    const auto thread = static_cast<std::int64_t>(s % t.threads);
    if (rank == o.rank.value_or(rank) && thread == o.thread.value_or(thread)) out.push_back(s);
  }
  return out;
}

void show_streams(const trace::Trace& t, const ShowOptions& o) {
  const std::vector<std::uint64_t> streams = chosen_streams(t, o);
  if (o.json) {
    if (!print_streams_json(t, streams, o.flat)) throw CommandError{damaged_message(o.file)};
    return;
  }
  if (!o.flat) say("{}", header(t, o.width));
  const trace::Trace unfinished = trace::only_unfinished(t);
  analyze::Projector projector(t), unfinished_projector(unfinished);
  for (const std::uint64_t s : streams) {
    const std::uint64_t rank = s / t.threads, thread = s % t.threads;
    if (o.flat) {
      if (!o.rank) say("rank {} thread {}\n", rank, thread);
      print_flat(t, s, o);
    } else {
      say("# rank {}{}\n", rank, t.threads > 1 ? fmt::format(" thread {}", thread) : "");
      const trace::Trace own = projector.of(s);
      print_program(program::explain(own), o);
      print_unfinished(unfinished_projector.of(s), o);
    }
  }
}

void check_number(const std::optional<std::int64_t>& number, std::uint64_t count,
                  const std::string& file, const char* what, const std::string& owner) {
  if (!number || (*number >= 0 && static_cast<std::uint64_t>(*number) < count)) return;
  const std::string range = count == 1 ? fmt::format("omit --{}, or use 0", what)
                                       : fmt::format("use one of 0 to {}", count - 1);
  throw CommandError{fmt::format("{} has no {} {} ({} has {}); {}", file, what, *number, owner,
                                 counted(count, what), range),
                     2};
}

void run(const ShowOptions& o) {
  trace::Trace t = open_trace(o.file, analyze::Use::structure, trace::Accept::scalable_too);
  set_wrappers(t, o.wrappers, o.file);
  if (scalable::is_scalable(t)) return show_laws(t, o);
  check_number(o.rank, t.ranks, o.file, "rank", "it");
  check_number(o.thread, t.threads, o.file, "thread", "a rank");
  if (o.flat || o.rank || o.thread) return show_streams(t, o);
  if (o.json) return print_program_json(t);
  say("{}", header(t, o.width));
  print_program(program::explain(t), o);
  print_unfinished(trace::only_unfinished(t), o);
}

}  // namespace

void add_show(CLI::App& app) {
  auto o = std::make_shared<ShowOptions>();
  CLI::App* sub = app.add_subcommand("show", "Print a trace as pseudo-code");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--rank", o->rank, "Only this rank, with its own values");
  sub->add_option("--thread", o->thread, "Only this thread of a rank");
  sub->add_flag("--flat", o->flat,
                "Every call in order instead of loops, with every parameter (`reprise record "
                "--flat` writes such lines while the program runs)");
  sub->add_flag("--callpaths", o->callpaths,
                "The whole call path of each call, instead of its place");
  sub->add_flag("--full", o->full, "Every argument with its name, nothing abridged");
  sub->add_option("--width", o->width, "Break longer lines; 0: never")->capture_default_str();
  add_wrappers_option(*sub, o->wrappers);
  sub->add_flag("--json", o->json, "Print a JSON document, with every parameter");
  sub->footer(
      "Notation (docs/notation.md explains it in full):\n  exchange(count):       a function that "
      "is called from several places, and its "
      "parameters;\n"
      "                         exchange(8) calls it\n"
      "  500 times:             repeats what is indented below, or one call after it;\n  for i in "
      "0..499:       the same where i, the iteration, is used below\n"
      "  if x > 0:              on these ranks only; else: on all other ranks that reach it\n  "
      "every 2nd time:        in every second iteration of the loop around it\n"
      "  Send(8 double, to east)  8 elements, the same on every rank, each time\n"
      "  west east north south down up  neighbors in the grid, one step along x, y, z;\n"
      "                         (x-1, y+1): the rank there\n"
      "  rank + 1, i * 2        exact formulas of the rank and of iterations\n  (1 if rank < 4, "
      "else 2)  by rank; by rank {1 2 4}: for the ranks that reach it, in order\n  {8 x3 9 0 2 .. "
      "6}      one execution after another: 8 three times, 9, then 0 2 4 6\n"
      "  {(1 2)x3}              1 2 1 2 1 2; with \"by +4\" each repeat is 4 more: 1 2 5 6 9 10\n"
      "  0 3 5, 0..7, 1..31:2   ranks; the last: from 1 to 31 by 2\n"
      "  <2 0 (8 16) (2 1)>     ranks: from 0 on eight times by 16, and from each of those twice "
      "by\n"
      "                         1: 0 1 16 17 32 33 .. 112 113\n"
      "  Wait(request 1)        requests are numbered by how many newer ones are pending\n  ...    "
      "                abridged in the text (not with --full), not in the trace\nOmitted: zero "
      "polls, ordinary buffers, MPI_COMM_WORLD, tag 0.\n\n"
      "Examples: reprise show app.reprise\n"
      "          reprise show --rank 3 --flat app.reprise | grep MPI_Send");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
