#include "generate/c_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analyze/describe.hpp"
#include "analyze/totals.hpp"
#include "generate/arguments.hpp"
#include "generate/c_lists.hpp"

namespace reprise::generate {

namespace {

// The innermost frame of a call, if the line is known.
const trace::Frame* known_frame(const trace::Trace& trace, std::uint32_t call) {
  const auto& path = trace.callpaths[trace.calls[call].callpath];
  const trace::Frame* f = path.empty() ? nullptr : &trace.frames[path.front()];
  return f && f->line != 0 ? f : nullptr;
}

}  // namespace

Places::Places(const trace::Trace& trace) : trace_(trace) {
  std::map<std::string, std::size_t> calls;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    if (const trace::Frame* f = known_frame(trace, c)) ++calls[trace.texts[f->file]];
  }
  const auto most = std::ranges::max_element(calls, {}, [](const auto& c) { return c.second; });
  if (most != calls.end()) file_ = most->first;
}

std::string Places::of(std::uint32_t call) const {
  const trace::Frame* f = known_frame(trace_, call);
  if (f && trace_.texts[f->file] == file_) {
    const std::string& function = trace_.texts[f->function];
    if (function.find_first_of(": ") == std::string::npos)
      return fmt::format("{}:{}", function, f->line);
  }
  return analyze::describe_place(trace_, trace_.calls[call].callpath);
}

std::string Places::tables(const std::vector<std::uint32_t>& calls,
                           const std::vector<trace::FunctionId>& functions, Source& source) const {
  std::string line, places;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string where = of(calls[i]);
    const bool is_same = i > 0 && where == of(calls[i - 1]);
    if (is_same) source.need("same_places");
    places +=
        fmt::format("{}{}", i ? ", " : "", is_same ? "\"\"" : quoted({where.begin(), where.end()}));
  }
  const bool has_same = source.needed().contains("same_places");
  std::string out = fmt::format(
      "\n/* Where calls stand{}{}; and by function: behind its last place, and its calls and bytes "
      "in the trace. */\n",
      file_.empty() ? "" : " in " + file_, has_same ? " (\"\": as before)" : "");
  line =
      fmt::format("static const char *{}places[SITES] = {{{}}};", has_same ? "" : "const ", places);
  out += wrapped(line, 0) + "\n";
  line =
      "static const struct { const char *name; int end; double calls, bytes; } "
      "functions[FUNCTIONS] = {";
  const analyze::Totals totals = analyze::totals_of(trace_, analyze::Counting::given);
  std::size_t end = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    std::uint64_t executions = 0;
    analyze::Volume volume;
    for (; end < calls.size() && trace_.calls[calls[end]].function == functions[f]; ++end) {
      for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
        executions += totals.of(s, calls[end]).calls;
        volume += totals.of(s, calls[end]).volume;
      }
    }
    // The sizes of messages that are probed for depend on which comes first.
    const bool is_open = std::ranges::any_of(
        arguments(functions[f]), [](const Argument& a) { return a.kind == ArgumentKind::message; });
    const std::string bytes =
        volume.unknown > 0 || is_open
            ? "-1"
            : number_text(static_cast<std::int64_t>(
                  std::accumulate(volume.bytes.begin(), volume.bytes.end(), std::uint64_t{0})));
    line += fmt::format("{}{{\"{}\", {}, {}, {}}}", f ? ", " : "",
                        trace::function(functions[f]).name, end, executions, bytes);
  }
  return out + wrapped(line + "};", 0) + "\n";
}

}  // namespace reprise::generate
