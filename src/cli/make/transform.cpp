// reprise transform: a trace whose collectives are aligned, or whose wildcards are resolved.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/look/deadlock_report.hpp"
#include "cli/make/mismatch_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/record/outputs.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/write.hpp"
#include "simulate/machine/units.hpp"
#include "trace/calls/places.hpp"
#include "transform/align.hpp"
#include "transform/resolve.hpp"
#include "transform/schedule.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using trace::Trace;
using transform::Deadlock;
using transform::Waiting;

struct TransformOptions {
  std::string input, output;
  std::string match = "recorded";
  std::string eager;
  std::uint64_t orders = 0;
  bool check = false, json = false, force = false;
};

// Says in the trace what was done to it.
void write(Trace trace, const std::string& what, const TransformOptions& o) {
  if (!what.empty()) trace.options += (trace.options.empty() ? "" : ", ") + what;
  const std::string program = trace.program;
  write_output(std::move(trace), program, o.output);
}

void print_json(const ordered_json& json) { say_json(json); }

void run_align(const TransformOptions& o) {
  check_new(o.output, o.force);
  Trace given = open_trace(o.input, analyze::Use::states);
  transform::AlignOutcome out = take(transform::align(given));
  if (out.mismatch) {
    if (o.json) print_json({{"mismatch", mismatch_json(given, *out.mismatch)}});
    throw CommandError{
        fmt::format("{} has collectives that do not match ({}); check the program "
                    "there",
                    o.input, mismatch_text(given, *out.mismatch))};
  }
  const transform::Aligned& a = out.aligned;
  if (o.json) {
    print_json({{"aligned_already", a.sites == 0},
                {"walked", a.walked},
                {"calls_before", given.calls.size()},
                {"calls_after", a.trace.calls.size()},
                {"united", a.united},
                {"into", a.sites}});
  } else if (a.sites == 0) {
    say("nothing to align: every collective is one call on all of its ranks\n");
  } else {
    say("{} of collectives merged into {}\n", counted(a.united, "call"), count_text(a.sites));
  }
  if (a.sites == 0) return write(std::move(given), "", o);
  write(std::move(out.aligned.trace), "aligned", o);
}

transform::ResolveOptions resolve_options(const TransformOptions& o) {
  transform::ResolveOptions out;
  if (o.match == "first") out.matching = transform::Matching::first;
  out.check = o.check || !o.eager.empty() || o.orders > 0;
  out.orders = o.orders;
  if (o.eager.empty()) return out;
  const auto bytes = simulate::parse_size(o.eager);
  if (!bytes || *bytes < 0) {
    throw CommandError{
        fmt::format("--eager {} is not a size (a number of bytes, or one with a unit, "
                    "is expected); write it as 65536 or 64KiB",
                    o.eager),
        2};
  }
  out.eager = static_cast<std::uint64_t>(*bytes);
  return out;
}

// What orders of messages were tried for deadlocks, beside the one of the matches.
ordered_json orders_json(const transform::Resolved& r) {
  if (!r.explored) return nullptr;
  return {{"tried", r.explored->orders}, {"complete", r.explored->is_complete}};
}

std::string orders_text(const transform::Resolved& r) {
  if (!r.explored) {
    return r.counts.resolved > 0
               ? "other orders of messages were not tried for deadlocks; --orders "
                 "1000 tries as many\n"
               : "";
  }
  const std::string tried = counted(r.explored->orders, "order");
  return r.explored->is_complete
             ? fmt::format("no deadlock in {} of messages: no other makes a difference\n", tried)
             : fmt::format("no deadlock in {} of messages; others were not tried\n", tried);
}

// What wildcards took where they come to a deadlock.
std::string taken_text(const Trace& trace, const transform::Explored& explored) {
  std::string out;
  for (const transform::Taken& t : explored.taken) {
    out +=
        fmt::format("\n  when rank {} has received from rank {} of its communicator, not {}, in {}",
                    t.rank, t.instead, t.first, trace::describe_call(trace, t.call));
  }
  return out;
}

ordered_json taken_json(const transform::Explored& explored) {
  ordered_json out = ordered_json::array();
  for (const transform::Taken& t : explored.taken)
    out.push_back({{"rank", t.rank}, {"source", t.instead}, {"instead_of", t.first}});
  return out;
}

ordered_json resolve_json(const transform::Resolved& r) {
  return {{"walked", r.walked},
          {"orders", orders_json(r)},
          {"resolved", r.counts.resolved},
          {"left",
           {{"cancelled", r.counts.cancelled},
            {"unmatched", r.counts.unmatched},
            {"varying", r.counts.varying}}}};
}

void print_resolved(const transform::Resolved& r, const TransformOptions& o) {
  const transform::WildcardCounts& c = r.counts;
  if (c.resolved + c.left() == 0) {
    say("nothing to resolve: no receive has a wildcard\n");
  } else {
    say("{} resolved, by {}\n", counted(c.resolved, "wildcard receive"),
        o.match == "first" ? "the first message that matches" : "what was recorded");
  }
  const auto left = [](std::uint64_t n, const char* why) {
    if (n > 0) say("{} left as {}: {}\n", count_text(n), n == 1 ? "it is" : "they are", why);
  };
  left(c.cancelled, "cancelled and never matched");
  left(c.unmatched, transform::can_schedule(r.trace)
                        ? "their matches are not in the trace; --wildcards first matches them anew"
                        : "their matches are not in the trace");
  left(c.varying, "persistent, with starts that matched different messages");
}

// With --check, ranks that were blocked when the run ended are what was looked for.
void refuse_blocked(const Trace& given, const TransformOptions& o) {
  const std::string report = blocked_report(given);
  if (!report.empty())
    throw CommandError{fmt::format("the run of {} ended in calls that had not returned\n{}",
                                   o.input, report.substr(0, report.size() - 1))};
}

void run_resolve(const TransformOptions& o) {
  const transform::ResolveOptions options = resolve_options(o);
  check_new(o.output, o.force);
  Trace given = open_trace(o.input, analyze::Use::states);
  transform::Resolved out = take(transform::resolve(given, options));
  if (options.check && !out.deadlock) refuse_blocked(given, o);
  if (out.deadlock) {
    const bool is_other = out.explored && !out.explored->taken.empty();
    if (o.json) {
      ordered_json json{{"deadlock", deadlock_json(given, *out.deadlock)}};
      if (is_other) json["taken"] = taken_json(*out.explored);
      print_json(json);
    }
    const char* advice =
        is_other             ? "the program can hang if messages arrive in another order and it "
                               "otherwise behaves as in this run"
        : !o.eager.empty()   ? "the program needs more buffering: try a larger --eager"
        : o.match == "first" ? "the program can hang with these matches: check its receives, or "
                               "use --wildcards recorded"
                             : "check the program there";
    throw CommandError{fmt::format(
        "{} of {} cannot proceed ({}):{}", counted(out.deadlock->waiting.size(), "rank"), o.input,
        advice,
        (is_other ? taken_text(given, *out.explored) : "") + deadlock_text(given, *out.deadlock))};
  }
  o.json ? print_json(resolve_json(out)) : print_resolved(out, o);
  if (!o.json) say("{}{}", orders_text(out), blocked_report(given));
  write(std::move(out.trace), out.counts.resolved > 0 ? "wildcards resolved" : "", o);
}

void add_common(CLI::App& sub, TransformOptions& o) {
  sub.add_option("trace", o.input, "The trace")->required();
  sub.add_option("-o,--output", o.output, "The trace to write")->capture_default_str();
  sub.add_flag("--json", o.json, "Report what was done in JSON");
  sub.add_flag("--force", o.force, "Overwrite an existing output");
}

void add_align(CLI::App& app) {
  auto o = std::make_shared<TransformOptions>();
  o->output = "aligned.reprise";
  CLI::App* sub = app.add_subcommand(
      "align", "Merge the calls of a collective that ranks make at different source lines");
  add_common(*sub, *o);
  sub->footer(
      "The order of each rank's calls does not change. Collectives that do not match are an error "
      "that names both places.\n\nExample: reprise transform align app.reprise -o aligned.reprise");
  sub->callback([o] { run_align(*o); });
}

void add_resolve(CLI::App& app) {
  auto o = std::make_shared<TransformOptions>();
  o->output = "resolved.reprise";
  CLI::App* sub = app.add_subcommand(
      "resolve", "Replace MPI_ANY_SOURCE and MPI_ANY_TAG by ranks and tags; find deadlocks");
  add_common(*sub, *o);
  sub->add_option("--wildcards", o->match,
                  "How wildcards are matched: recorded, as in the recorded run, or first, with the "
                  "first matching message in a walk over the ranks")
      ->check(CLI::IsMember({"recorded", "first"}))
      ->capture_default_str();
  sub->add_option("--eager", o->eager,
                  "Standard sends of at most this many bytes end before they are received; by "
                  "default all do. 0 finds programs that rely on buffering");
  sub->add_flag("--check", o->check, "Look for deadlocks even if the recorded matches suffice");
  sub->add_option("--orders", o->orders,
                  "Look for deadlocks in up to this many orders of messages, the likeliest first; "
                  "reports whether these are all relevant orders");
  sub->footer(
      "A deadlock found with --wildcards first, --eager, --check or --orders is a cycle of waiting "
      "ranks. If none is\nfound, other orders of messages may still have one, unless --orders has "
      "tried them all.\n\n"
      "Example: reprise transform resolve app.reprise -o fixed.reprise");
  sub->callback([o] { run_resolve(*o); });
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* sub =
      app.add_subcommand("transform", "Transform a trace: align collectives, or resolve wildcards");
  sub->require_subcommand(1);
  add_align(*sub);
  add_resolve(*sub);
  sub->footer("Example: reprise transform align app.reprise -o aligned.reprise");
}

}  // namespace reprise::cli
