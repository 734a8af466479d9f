#include "trace/calls/call_names.hpp"

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "trace/calls/places.hpp"

namespace reprise::trace {

namespace {

constexpr std::string_view kBetween = " > ";  // frames of a call path

// How much of the texts of call paths is of frames that all of them have. REQUIRES: two or more.
std::size_t common_frames(const std::set<std::string>& paths) {
  // All texts begin like the first and the last one do.
  const std::string &a = *paths.begin(), &b = *paths.rbegin();
  std::size_t out = 0;
  for (std::size_t end = a.find(kBetween); end != std::string::npos; end = a.find(kBetween, out)) {
    if (b.compare(0, end + kBetween.size(), a, 0, end + kBetween.size()) != 0) break;
    out = end + kBetween.size();
  }
  return out;
}

}  // namespace

CallNames::CallNames(const Trace& trace) {
  using Key = std::pair<FunctionId, std::string>;  // function, place or call path
  const Places places(trace);
  std::map<Key, std::set<std::string>> paths;
  for (const Call& c : trace.calls)
    paths[{c.function, places.text(c.callpath)}].insert(places.path_text(c.callpath));
  std::map<Key, std::size_t> times, seen;
  for (const Call& c : trace.calls) {
    std::string place = places.text(c.callpath);
    const std::set<std::string>& of_place = paths[{c.function, place}];
    if (of_place.size() > 1) place = places.path_text(c.callpath).substr(common_frames(of_place));
    ++times[{c.function, place}];
    places_.push_back(std::move(place));
  }
  for (std::size_t i = 0; i < trace.calls.size(); ++i) {
    const Key key{trace.calls[i].function, places_[i]};
    texts_.push_back(call_in_place(function(key.first).name, key.second));
    if (times[key] == 1) continue;
    const std::string number =
        "(call " + std::to_string(++seen[key]) + " of " + std::to_string(times[key]) + ")";
    texts_[i] += " " + number;
    places_[i] += (places_[i].empty() ? "" : " ") + number;
  }
}

}  // namespace reprise::trace
