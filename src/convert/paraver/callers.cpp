#include "convert/paraver/callers.hpp"

#include <algorithm>
#include <map>

#include "base/printable.hpp"
#include "convert/paraver/numbers.hpp"
#include "trace/calls/places.hpp"

namespace reprise::convert::paraver {

Callers::Callers(const trace::Trace& trace) : trace_(trace) {
  const trace::Places places(trace);
  std::map<std::string, std::uint32_t> known_functions, known_lines;
  const auto number = [](std::map<std::string, std::uint32_t>& known,
                         std::vector<std::string>& list, const std::string& text) {
    const auto [entry, is_new] = known.emplace(text, static_cast<std::uint32_t>(list.size() + 1));
    if (is_new) list.push_back(text);
    return entry->second;
  };
  for (std::uint32_t f = 0; f < trace.frames.size(); ++f) {
    const trace::Frame& frame = trace.frames[f];
    const bool is_named = frame.function > 0;
    const std::string function = printable(is_named ? places.function(f) : places.location(f));
    const std::string file = frame.file > 0 ? printable(trace.texts[frame.file]) : "Unresolved";
    // As Extrae words lines: "heat.c:12 [src/heat.c:12, app]".
    const std::string line = std::to_string(frame.line);
    const std::string module =
        frame.module < trace.modules.size() && !trace.modules[frame.module].path.empty()
            ? printable(trace.modules[frame.module].path)
            : "Unresolved";
    const std::string base = file.substr(file.rfind('/') + 1);
    numbers_.push_back(
        {number(known_functions, functions_, function),
         number(known_lines, lines_,
                base + ":" + line + " [" + file + ":" + line + ", " + module + "]")});
  }
  for (std::uint32_t p = 0; p < trace.callpaths.size(); ++p)
    most_levels_ = std::max(most_levels_, levels(p));
}

std::uint32_t Callers::levels(std::uint32_t callpath) const {
  const std::size_t frames = trace_.callpaths[callpath].size();
  return static_cast<std::uint32_t>(std::min<std::size_t>(frames, kMostLevels));
}

}  // namespace reprise::convert::paraver
