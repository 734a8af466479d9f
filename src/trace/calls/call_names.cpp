#include "trace/calls/call_names.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "trace/calls/places.hpp"

namespace reprise::trace {
namespace {

constexpr std::string_view kBelow = " > ", kOmitted = "... > ";

// Call paths, the innermost frame first, in which frames with the same text are one number.
class ReadPaths {
 public:
  explicit ReadPaths(const Trace& trace) : trace_(trace), places_(trace) {
    std::map<std::string, std::uint32_t> known;
    for (std::uint32_t f = 0; f < trace.frames.size(); ++f) {
      const auto number = static_cast<std::uint32_t>(known.size());
      read_as_.push_back(known.emplace(places_.frame_text(f), number).first->second);
    }
  }

  const Places& places() const { return places_; }

  std::vector<std::uint32_t> read(std::uint32_t callpath) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t frame : trace_.callpaths[callpath]) out.push_back(read_as_[frame]);
    return out;
  }

  // The place in a call path, and the frames outside it that are listed, as indices into the path
  // in ascending order.
  std::string text(std::uint32_t callpath, const std::vector<std::size_t>& listed) const {
    const std::vector<std::uint32_t>& path = trace_.callpaths[callpath];
    if (path.empty()) return {};
    const std::size_t place = places_.index(callpath);
    const auto is_listed = [&](std::size_t i) { return std::ranges::binary_search(listed, i); };
    std::string out;
    bool has_gap = false;
    for (std::size_t i = path.size(); i-- > place + 1;) {
      if (is_listed(i)) {
        out.append(has_gap ? kOmitted : "").append(places_.frame_text(path[i])).append(kBelow);
        has_gap = false;
      } else if (!out.empty()) {
        has_gap = true;
      }
    }
    out += has_gap ? kOmitted : "";
    if (std::ranges::none_of(listed, [&](std::size_t i) { return i < place; }))
      return out + places_.text(callpath);
    // Wrappers have no lines in the text of a place.
    for (std::size_t i = place + 1; i-- > 0;)
      out.append(places_.frame_text(path[i])).append(i > 0 ? kBelow : "");
    return out;
  }

 private:
  const Trace& trace_;
  const Places places_;
  std::vector<std::uint32_t> read_as_;  // by frame
};

// A call path, and the indices of its frames that tell it from others.
struct TellingPath {
  std::vector<std::uint32_t> frames;
  std::uint32_t callpath = 0;
  std::vector<std::size_t> telling = {};
};

// Lists the frames behind which paths part, from the inside out. REQUIRES: the paths are in order,
// and equal up to `depth`. Cost: O(frames).
void find_telling(std::span<TellingPath> paths, std::size_t depth) {
  while (paths.size() > 1) {
    const auto part = [depth](const TellingPath& p) {
      return depth < p.frames.size() ? p.frames[depth] + std::uint64_t{1} : 0;
    };
    if (part(paths.front()) == part(paths.back())) {
      if (part(paths.front()) == 0) return;
      ++depth;
      continue;
    }
    for (std::size_t from = 0, to = 0; from < paths.size(); from = to) {
      while (to < paths.size() && part(paths[to]) == part(paths[from])) ++to;
      for (std::size_t i = from; i < to; ++i) paths[i].telling.push_back(depth);
      find_telling(paths.subspan(from, to - from), depth + 1);
    }
    return;
  }
}

}  // namespace

CallNames::CallNames(const Trace& trace) {
  using Key = std::pair<FunctionId, std::string>;  // function, place
  const ReadPaths paths(trace);
  std::map<Key, std::vector<TellingPath>> of_place;
  for (const Call& c : trace.calls) {
    of_place[{c.function, paths.places().text(c.callpath)}].push_back(
        {paths.read(c.callpath), c.callpath});
  }
  std::map<std::pair<FunctionId, std::uint32_t>, std::string> texts;  // by function and call path
  for (auto& [key, here] : of_place) {
    std::ranges::sort(here, {}, &TellingPath::frames);
    find_telling(here, 0);
    for (const TellingPath& p : here)
      texts[{key.first, p.callpath}] = paths.text(p.callpath, p.telling);
  }
  std::map<Key, std::size_t> times, seen;
  for (const Call& c : trace.calls) {
    places_.push_back(texts[{c.function, c.callpath}]);
    ++times[{c.function, places_.back()}];
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
