#include "cli/wrappers.hpp"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <sstream>

#include "cli/command.hpp"
#include "trace/calls/function_names.hpp"

namespace reprise::cli {
namespace {

bool fits(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// Adds the functions that a name or pattern stands for. False: there are none.
bool add_wrappers(trace::Trace& trace, const std::string& pattern) {
  bool found = false;
  for (const trace::Frame& f : trace.frames) {
    const std::string& name = trace.texts[f.function];
    if (f.function == 0 || (!fits(pattern, name) && !fits(pattern, trace::short_name(name))))
      continue;
    found = true;
    const trace::Wrapper wrapper{f.function, f.file};
    if (std::ranges::find(trace.wrappers, wrapper) == trace.wrappers.end())
      trace.wrappers.push_back(wrapper);
  }
  return found;
}

}  // namespace

void add_wrappers_option(CLI::App& sub, std::string& wrappers) {
  sub.add_option("--wrappers", wrappers,
                 "Functions of the program that only pass calls on to MPI, separated by commas; * "
                 "matches any text. Calls\nare shown where these functions are called. auto: the "
                 "functions found when the trace was written;\nnone: show the innermost function")
      ->default_str("auto")
      ->type_name("auto|none|NAME,...");
}

void set_wrappers(trace::Trace& trace, const std::string& wrappers, const std::string& file) {
  if (wrappers.empty() || wrappers == "auto") return;
  const std::vector<trace::Wrapper> found = std::exchange(trace.wrappers, {});
  if (wrappers == "none") return;
  std::istringstream words(wrappers);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "auto") {
      for (const trace::Wrapper& w : found) {
        if (std::ranges::find(trace.wrappers, w) == trace.wrappers.end())
          trace.wrappers.push_back(w);
      }
    } else if (!add_wrappers(trace, word)) {
      throw CommandError{
          fmt::format("--wrappers names {}, which is in no call path of {}; `reprise "
                      "show --callpaths {}` prints the functions",
                      word, file, file),
          2};
    }
  }
}

}  // namespace reprise::cli
