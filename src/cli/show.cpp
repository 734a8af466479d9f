// reprise show: the trace as indented pseudo-code, or call by call.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "analyze/describe.hpp"
#include "analyze/listing.hpp"
#include "analyze/project.hpp"
#include "cli/command.hpp"
#include "cli/program_json.hpp"
#include "cli/text.hpp"
#include "trace/cursor.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

struct ShowOptions {
  std::string file;
  std::optional<std::uint64_t> rank, thread;
  bool flat = false;
  bool callpaths = false;
  bool json = false;
};

// Longer lines do not push the places of all others to the right.
constexpr std::size_t kMaxPlaceColumn = 100;

constexpr const char* kBold = "\033[1m";
constexpr const char* kDim = "\033[2m";
constexpr const char* kPlain = "\033[0m";

std::string in_color(bool color, const char* how, const std::string& text) {
  return color && !text.empty() ? how + text + kPlain : text;
}

// A line of the program, with the number of characters that a reader sees.
struct Printed {
  std::string text, place;
  std::size_t width;
};

Printed print(const analyze::ListingLine& line, const std::string& place, bool color) {
  const std::string condition = line.condition.empty() ? "" : line.condition + ":";
  const std::string gap = condition.empty() || line.call.empty() ? "" : " ";
  const std::size_t paren = std::min(line.call.find('('), line.call.size());
  return {std::string(2 * line.depth, ' ') + condition + gap +
              in_color(color, kBold, line.call.substr(0, paren)) + line.call.substr(paren),
          place, 2 * line.depth + condition.size() + gap.size() + line.call.size()};
}

void print_program(const trace::Trace& t, const ShowOptions& o) {
  const bool color = use_color();
  std::vector<Printed> lines;
  std::size_t column = 0;
  for (const analyze::ListingLine& l : analyze::list_program(t)) {
    std::string place;
    if (l.callpath)
      place = o.callpaths ? analyze::describe_callpath(t, *l.callpath)
                          : analyze::describe_place(t, *l.callpath);
    lines.push_back(print(l, place, color));
    if (!place.empty() && lines.back().width <= kMaxPlaceColumn)
      column = std::max(column, lines.back().width);
  }
  for (const Printed& l : lines) {
    const std::string padding(l.place.empty() ? 0 : std::max(column, l.width) + 2 - l.width, ' ');
    fmt::print("{}{}{}\n", l.text, padding, in_color(color, kDim, l.place));
  }
}

void print_flat(const trace::Trace& t, std::uint64_t stream, const ShowOptions& o) {
  trace::Cursor cursor(t, stream);
  while (cursor.next()) {
    const std::string text = analyze::describe_event(cursor.event());
    if (o.callpaths) {
      fmt::print("{}  {}\n", text,
                 analyze::describe_callpath(t, t.calls[cursor.event().call].callpath));
    } else {
      fmt::print("{}\n", text);
    }
  }
  if (cursor.damaged()) throw CommandError{damaged_message(o.file)};
}

std::string header(const trace::Trace& t) {
  return fmt::format("# {}\n# {}, {} ranks{}\n", t.program, t.mpi, t.ranks,
                     t.threads > 1 ? fmt::format(", {} threads", t.threads) : "");
}

void show_streams(const trace::Trace& t, const ShowOptions& o) {
  if (!o.flat && !o.json) fmt::print("{}", header(t));
  for (std::uint64_t s = 0; s < t.streams(); ++s) {
    const std::uint64_t rank = s / t.threads, thread = s % t.threads;
    if ((o.rank && rank != *o.rank) || (o.thread && thread != *o.thread)) continue;
    if (o.flat) {
      if (!o.rank) fmt::print("rank {} thread {}\n", rank, thread);
      print_flat(t, s, o);
    } else if (o.json) {
      nlohmann::ordered_json out = program_json(analyze::project(t, s));
      out["rank"] = rank;
      out["thread"] = thread;
      fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else {
      fmt::print("# rank {}{}\n", rank, t.threads > 1 ? fmt::format(" thread {}", thread) : "");
      print_program(analyze::project(t, s), o);
    }
  }
}

void run(const ShowOptions& o) {
  const trace::Trace t = take(trace::read_trace(o.file));
  if (o.rank && *o.rank >= t.ranks) {
    throw CommandError{fmt::format("{} has no rank {} (it has {} ranks); say one of 0 to {}",
                                   o.file, *o.rank, t.ranks, t.ranks - 1),
                       2};
  }
  if (o.thread && *o.thread >= t.threads) {
    throw CommandError{fmt::format("{} has no thread {} (a rank has {}); say one of 0 to {}",
                                   o.file, *o.thread, t.threads, t.threads - 1),
                       2};
  }
  if (o.flat || o.rank || o.thread) return show_streams(t, o);
  if (o.json) {
    fmt::print("{}\n", program_json(t).dump(2, ' ', false,
                                            nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("{}", header(t));
  print_program(t, o);
}

}  // namespace

void add_show(CLI::App& app) {
  auto o = std::make_shared<ShowOptions>();
  CLI::App* sub = app.add_subcommand("show", "Print a trace as pseudo-code");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--rank", o->rank, "What one rank does, with its own numbers");
  sub->add_option("--thread", o->thread, "What one of the threads of a rank does");
  CLI::Option* flat = sub->add_flag("--flat", o->flat, "Every call in order, instead of loops");
  sub->add_flag("--callpaths", o->callpaths,
                "The whole way to each call, instead of its last place");
  sub->add_flag("--json", o->json, "For programs: the tree, with every parameter")->excludes(flat);
  sub->footer(
      "Values: rank+1 is relative to the rank; {8 x4 9} is one execution after another; (1 on "
      "0..3, 2 on 4)\n"
      "is by rank, <2 0 (4 16) (2 1)> the ranks 0 1 16 17 32 33 48 49. What says nothing is left "
      "out: no polls,\n"
      "ordinary buffers, MPI_COMM_WORLD.\n\n"
      "Examples: reprise show app.reprise\n"
      "          reprise show --rank 3 --flat app.reprise | grep MPI_Send");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
