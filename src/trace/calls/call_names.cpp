#include "trace/calls/call_names.hpp"

#include <map>
#include <set>
#include <utility>

#include "trace/calls/places.hpp"

namespace reprise::trace {

CallNames::CallNames(const Trace& trace) {
  using Key = std::pair<FunctionId, std::string>;  // function, place or call path
  const Places places(trace);
  std::map<Key, std::set<std::string>> paths;
  for (const Call& c : trace.calls)
    paths[{c.function, places.text(c.callpath)}].insert(places.path_text(c.callpath));
  std::map<Key, std::size_t> times, seen;
  for (const Call& c : trace.calls) {
    std::string place = places.text(c.callpath);
    if (paths[{c.function, place}].size() > 1) place = places.path_text(c.callpath);
    ++times[{c.function, place}];
    places_.push_back(std::move(place));
  }
  for (std::size_t i = 0; i < trace.calls.size(); ++i) {
    const Key key{trace.calls[i].function, places_[i]};
    texts_.push_back(call_in_place(function(key.first).name, key.second));
    if (times[key] == 1) continue;
    const std::string number = "(" + std::to_string(++seen[key]) + ")";
    texts_[i] += " " + number;
    places_[i] += (places_[i].empty() ? "" : " ") + number;
  }
}

}  // namespace reprise::trace
