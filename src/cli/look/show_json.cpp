#include "cli/look/show_json.hpp"

#include <fmt/core.h>

#include "analyze/compare/project.hpp"
#include "cli/say.hpp"
#include "program/build.hpp"
#include "trace/file/unfinished.hpp"
#include "write/json/program.hpp"
#include "write/json/times.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;

namespace {

// The calls of a stream may be more than memory holds as JSON: each is a line of its own.
bool print_calls(const Trace& t, std::uint64_t stream) {
  say(", \"calls\": [");
  const Trace full = trace::with_unfinished(t);
  trace::Cursor cursor(full, stream);
  for (const char* comma = ""; cursor.next(); comma = ",") {
    ordered_json call = write::event_json(full, cursor.event());
    if (cursor.event().call >= t.calls.size()) call["returned"] = false;
    say("{}\n  {}", comma, json_text(call, -1));
  }
  say("]");
  return !cursor.damaged();
}

ordered_json explained_json(const Trace& t) { return write::program_json(program::explain(t)); }

}  // namespace

ordered_json program_document(const Trace& t) {
  ordered_json out = write::header_json(t);
  out["explained"] = explained_json(t);
  if (!t.times.empty()) out["times"] = write::times_json(t);
  if (trace::unfinished_of(t)) out["unfinished"] = explained_json(trace::only_unfinished(t));
  return out;
}

void print_program_json(const Trace& t) { say("{}\n", json_text(program_document(t), 2)); }

bool print_streams_json(const Trace& t, const std::vector<std::uint64_t>& streams, bool flat) {
  const std::string header = json_text(write::header_json(t), 2);
  say("{},\n  \"streams\": [", header.substr(0, header.rfind('\n')));
  const char* comma = "";
  analyze::Projector projector(t);
  for (const std::uint64_t s : streams) {
    const std::uint64_t rank = s / t.threads;
    say("{}\n{{\"rank\": {}, \"thread\": {}", comma, rank, s % t.threads);
    comma = ",";
    if (!flat) {
      say(", \"explained\": {}", json_text(explained_json(projector.of(s)), 2));
    } else if (!print_calls(t, s)) {
      return false;
    }
    say("}}");
  }
  say("\n]}}\n");
  return true;
}

}  // namespace reprise::cli
