#include "cli/extrapolate/site_check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::cli {
namespace {

using trace::Event;
using trace::Kind;
using trace::Trace;

using Key = std::pair<std::string, std::string>;  // function, call path
using Calls = std::map<std::size_t, std::vector<Event>>;

class Checker {
 public:
  Checker(const Trace& predicted, const Trace& recorded)
      : traces_{&predicted, &recorded}, site_of_{sites(predicted), sites(recorded)} {}

  std::vector<SiteCheck> run() {
    for (std::uint64_t s = 0; s < traces_[0]->streams(); ++s) {
      const Calls predicted = calls(0, s), recorded = calls(1, s);
      for (std::size_t site = 0; site < out_.size(); ++site) compare(site, predicted, recorded);
    }
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].parameters.assign(differing_[i].begin(), differing_[i].end());
    }
    return std::move(out_);
  }

 private:
  // The site of each call of a trace.
  std::vector<std::size_t> sites(const Trace& trace) {
    std::vector<std::size_t> of;
    const trace::Places places(trace);
    for (const trace::Call& c : trace.calls) {
      const std::string function(trace::function(c.function).name);
      const auto [entry, is_new] =
          index_.emplace(Key(function, trace::full_path(trace, c.callpath)), out_.size());
      if (is_new) {
        SiteCheck& site = out_.emplace_back();
        site.function = function;
        site.place = places.text(c.callpath);
        differing_.emplace_back();
      }
      of.push_back(entry->second);
    }
    return of;
  }

  Calls calls(std::size_t which, std::uint64_t stream) const {
    Calls out;
    trace::Cursor cursor(*traces_[which], stream);
    while (cursor.next()) out[site_of_[which][cursor.event().call]].push_back(cursor.event());
    return out;
  }

  void compare(std::size_t site, const Calls& predicted, const Calls& recorded) {
    static const std::vector<Event> kNone;
    const auto at = [site](const Calls& c) -> const std::vector<Event>& {
      const auto found = c.find(site);
      return found == c.end() ? kNone : found->second;
    };
    const auto &a = at(predicted), &b = at(recorded);
    out_[site].predicted += a.size();
    out_[site].recorded += b.size();
    const std::size_t both = std::min(a.size(), b.size());
    out_[site].wrong += std::max(a.size(), b.size()) - both;
    if (a.size() != b.size()) differing_[site].emplace("number of calls");
    for (std::size_t i = 0; i < both; ++i) out_[site].wrong += differ(site, a[i], b[i]) ? 1 : 0;
  }

  bool differ(std::size_t site, const Event& a, const Event& b) {
    bool any = false;
    const auto note = [&](const trace::Column& column, bool same) {
      if (same || column.kind == Kind::polls || column.kind == Kind::matched) return;
      if (column.name.starts_with("matched_")) return;
      differing_[site].emplace(column.name);
      any = true;
    };
    for (std::size_t c = 0; c < a.scalars.size(); ++c) {
      note(a.function->scalars[c], a.scalars[c] == b.scalars[c]);
    }
    for (std::size_t l = 0; l < a.lists.size(); ++l) {
      note(a.function->lists[l], a.lists[l] == b.lists[l]);
    }
    return any;
  }

  std::map<Key, std::size_t> index_;
  std::vector<SiteCheck> out_;
  std::vector<std::set<std::string>> differing_;  // parameters, by site
  const Trace* traces_[2];
  std::vector<std::size_t> site_of_[2];
};

}  // namespace

std::vector<SiteCheck> check_sites(const Trace& predicted, const Trace& recorded) {
  return Checker(predicted, recorded).run();
}

}  // namespace reprise::cli
