#include "generate/c_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analyze/describe.hpp"
#include "analyze/totals.hpp"
#include "generate/arguments.hpp"
#include "generate/c_lists.hpp"

namespace reprise::generate {

std::string place_of(const trace::Trace& trace, std::uint32_t call) {
  return analyze::describe_place(trace, trace.calls[call].callpath);
}

std::string place_tables(const trace::Trace& trace, const std::vector<std::uint32_t>& calls,
                         const std::vector<trace::FunctionId>& functions, Source& source) {
  std::string line, places;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string where = place_of(trace, calls[i]);
    const bool is_same = i > 0 && where == place_of(trace, calls[i - 1]);
    if (is_same) source.need("same_places");
    places +=
        fmt::format("{}{}", i ? ", " : "", is_same ? "\"\"" : quoted({where.begin(), where.end()}));
  }
  const bool has_same = source.needed().contains("same_places");
  std::string out = fmt::format(
      "\n/* Where calls stand{}; and by function: behind its last place, and its calls and bytes "
      "in "
      "the trace. */\n",
      has_same ? " (\"\": as before)" : "");
  line =
      fmt::format("static const char *{}places[SITES] = {{{}}};", has_same ? "" : "const ", places);
  out += wrapped(line, 0) + "\n";
  line =
      "static const struct { const char *name; int end; double calls, bytes; } "
      "functions[FUNCTIONS] = {";
  const analyze::Totals totals = analyze::totals_of(trace, analyze::Counting::given);
  std::size_t end = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    std::uint64_t executions = 0;
    analyze::Volume volume;
    for (; end < calls.size() && trace.calls[calls[end]].function == functions[f]; ++end) {
      for (std::uint64_t s = 0; s < trace.streams(); ++s) {
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
