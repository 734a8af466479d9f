#include "generate/c_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "analyze/totals.hpp"
#include "base/escape.hpp"
#include "generate/arguments.hpp"

namespace reprise::generate {

Places::Places(const trace::Trace& trace) : trace_(trace), places_(trace) {
  std::map<std::string, std::size_t> files;
  std::map<std::uint32_t, std::size_t> modules;  // of calls whose lines are not known
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Frame* f = places_.frame(trace.calls[c].callpath);
    if (f && f->line != 0) ++files[trace.texts[f->file]];
    if (f && f->line == 0) ++modules[f->module];
  }
  const auto count = [](const auto& of) { return of.second; };
  if (const auto most = std::ranges::max_element(files, {}, count); most != files.end())
    file_ = most->first;
  if (const auto most = std::ranges::max_element(modules, {}, count); most != modules.end())
    module_ = most->first;
}

std::string Places::of(std::uint32_t call) const {
  const std::uint32_t callpath = trace_.calls[call].callpath;
  const trace::Frame* f = places_.frame(callpath);
  if (!f || places_.index(callpath) > 0) return places_.text(callpath);
  const std::string function = places_.function(trace_.callpaths[callpath].front());
  const bool is_plain = function.find_first_of(": ") == std::string::npos;
  if (f->line != 0 && trace_.texts[f->file] == file_ && is_plain)
    return fmt::format("{}:{}", function, f->line);
  if (f->line == 0 && f->module == module_ && f->function != 0)
    return fmt::format("{} +{:#x}", function, f->offset);
  return places_.text(callpath);
}

std::string Places::name_of_module() const {
  const std::string& path = trace_.modules[module_].path;
  return path.substr(path.rfind('/') + 1);
}

std::string Places::tables(const std::vector<std::uint32_t>& calls,
                           const std::vector<trace::FunctionId>& functions, Source& source) const {
  std::string line, places;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string where = of(calls[i]);
    const bool is_same = i > 0 && where == of(calls[i - 1]);
    if (is_same) source.need("same_places");
    places += fmt::format("{}{}", i ? ", " : "", is_same ? "\"\"" : c_string(where));
  }
  const bool has_same = source.needed().contains("same_places");
  std::vector<std::string> notes;
  if (has_same) notes.emplace_back("\"\": as before");
  if (module_ < trace_.modules.size())
    notes.push_back("+: bytes into " + in_c_comment(name_of_module()));
  const std::string where = fmt::format(
                        "/* Where calls stand{}{};",
                        file_.empty() ? "" : " in " + in_c_comment(file_),
                        notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, ", "))),
                    functions_are =
                        "by function: behind its last place, calls and bytes in the trace. */";
  const bool fits = where.size() + functions_are.size() < 120;
  std::string out = fmt::format("\n{}{}{}\n", where, fits ? " " : "\n * ", functions_are);
  line =
      fmt::format("static const char *{}places[SITES] = {{{}}};", has_same ? "" : "const ", places);
  out += wrapped(line, 0) + "\n";
  line =
      "static const struct { const char *name; int end; double calls, bytes; } "
      "functions[FUNCTIONS] = {";
  const analyze::Totals totals = analyze::totals_of(trace_, analyze::Counting::given);
  if (totals.damaged) throw Unwritable{"a value in it makes no sense"};
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
