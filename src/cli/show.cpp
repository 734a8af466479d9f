// reprise show: the trace as indented pseudo-code, or call by call.
#include <fmt/core.h>

#include "analyze/describe.hpp"
#include "cli/command.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

struct ShowOptions {
  std::string file;
  std::int64_t rank = -1;
  std::int64_t thread = -1;
  bool flat = false;
  bool callpaths = false;
};

void print_item(const ShowOptions& o, const trace::Trace& t, const trace::Item& item, int depth) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  const std::string trips = analyze::describe_trips(t, item);
  if (item.is_call()) {
    const trace::Call& call = t.calls[item.call];
    const std::string prefix = trips.empty() ? "" : trips + ": ";
    const std::string text = fmt::format("{}{}{}({})", indent, prefix, trace::function(call.function).name,
                                         analyze::describe_call(t, call));
    fmt::print("{:<90}  {}\n", text,
               o.callpaths ? analyze::describe_callpath(t, call.callpath)
                           : analyze::describe_place(t, call.callpath));
    return;
  }
  if (!trips.empty()) fmt::print("{}{}:\n", indent, trips);
  for (const trace::Item& b : item.body) print_item(o, t, b, trips.empty() ? depth : depth + 1);
}

void print_flat(const trace::Trace& t, std::uint64_t stream) {
  trace::Cursor cursor(t, stream);
  while (cursor.next()) fmt::print("{}\n", analyze::describe_event(cursor.event()));
  if (cursor.damaged()) throw CommandError{"the trace is damaged (a value does not make sense); record it again"};
}

void run(const ShowOptions& o) {
  const trace::Trace t = take(trace::read_trace(o.file));
  if (!o.flat) {
    fmt::print("# {}\n# {}, {} ranks{}\n", t.program, t.mpi, t.ranks,
               t.threads > 1 ? fmt::format(", {} threads", t.threads) : "");
    print_item(o, t, t.root, 0);
    return;
  }
  for (std::uint64_t s = 0; s < t.streams(); ++s) {
    if (o.rank >= 0 && s / t.threads != static_cast<std::uint64_t>(o.rank)) continue;
    if (o.thread >= 0 && s % t.threads != static_cast<std::uint64_t>(o.thread)) continue;
    if (o.rank < 0) fmt::print("rank {} thread {}\n", s / t.threads, s % t.threads);
    print_flat(t, s);
  }
}

}  // namespace

void add_show(CLI::App& app) {
  auto o = std::make_shared<ShowOptions>();
  CLI::App* sub = app.add_subcommand("show", "Print a trace as pseudo-code");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--rank", o->rank, "What one rank does");
  sub->add_option("--thread", o->thread, "What one of its threads does; with --flat");
  sub->add_flag("--flat", o->flat, "Every call in order, instead of loops");
  sub->add_flag("--callpaths", o->callpaths, "The whole way to each call, instead of its last place");
  sub->footer("Example: reprise show app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
