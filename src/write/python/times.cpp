#include "write/python/times.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace reprise::write::python {
namespace {

Expression nanoseconds(double ns) { return number(static_cast<std::int64_t>(std::llround(ns))); }

class Writer {
 public:
  Writer(const trace::Trace& trace, const std::vector<std::uint32_t>& sites)
      : trace_(trace), sites_(sites) {
    for (std::size_t i = 0; i < sites.size(); ++i)
      site_of_[sites[i]] = static_cast<std::int64_t>(i);
  }

  Statement run() {
    std::vector<Expression> all;
    for (const std::uint32_t call : sites_) all.push_back(before(call));
    return assign(name("COMPUTE"), list(std::move(all)));
  }

 private:
  Expression before(std::uint32_t call) {
    if (call >= trace_.times.size()) return number(0);
    std::vector<Entry> by_path;
    for (const trace::Path& p : trace_.times[call].paths) {
      if (p.compute.classes.empty()) continue;
      by_path.push_back({number(from(p.from)), by_class(p.compute)});
    }
    if (by_path.empty()) return number(0);
    const bool are_same = std::ranges::all_of(
        by_path, [&](const Entry& e) { return is_same(e.value, by_path.front().value); });
    return are_same ? by_path.front().value : dict(std::move(by_path));
  }

  // -1: no call came before.
  std::int64_t from(std::uint32_t call) const {
    const auto found = site_of_.find(call);
    return found == site_of_.end() ? -1 : found->second;
  }

  Expression by_class(const trace::DeltaTimes& t) {
    std::vector<Expression> times;
    for (const trace::Histogram& h : t.classes) times.push_back(nanoseconds(h.mean()));
    const bool are_same =
        std::ranges::all_of(times, [&](const Expression& e) { return is_same(e, times.front()); });
    if (are_same) return times.front();
    std::vector<Expression> runs;
    trace::SeriesCursor cursor(t.class_of);
    std::int64_t which = 0, count = 0;
    const auto end = [&] {
      if (count > 0) runs.push_back(tuple({number(count), number(which)}));
    };
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      // A rank that never came this way may have any.
      std::int64_t here = cursor.next();
      if (here < 0 || here >= std::ssize(t.classes)) here = which;
      if (here != which) end(), count = 0;
      which = here;
      ++count;
    }
    end();
    return call("ByClass", {list(std::move(runs)), list(std::move(times))});
  }

  const trace::Trace& trace_;
  const std::vector<std::uint32_t>& sites_;
  std::map<std::uint32_t, std::int64_t> site_of_;
};

}  // namespace

Statement compute_table(const trace::Trace& trace, const std::vector<std::uint32_t>& sites) {
  return Writer(trace, sites).run();
}

}  // namespace reprise::write::python
