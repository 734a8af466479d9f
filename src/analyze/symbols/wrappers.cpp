#include "analyze/symbols/wrappers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "trace/calls/function_names.hpp"

namespace reprise::analyze {
namespace {

// What it takes for a source file to be a layer over MPI: so many functions that pass one call on,
// that share of those that reach MPI, and that share of them without loops.
constexpr std::size_t kLeastOfLayer = 3;
constexpr double kForwardingShare = 0.75;
constexpr double kPlainShare = 0.5;

// Instances of one template are one function.
struct Function {
  std::vector<std::uint32_t> frames;
  std::uint32_t source = 0;  // the file or, where that is unknown, the binary
  bool forwards = true;      // one call of MPI for each place that calls the function
  bool is_wrapper = false;
  std::set<std::uint32_t> callers;      // functions
  std::set<std::uint32_t> called_from;  // frames
  std::optional<bool> is_plain;         // without loops
};

// One MPI function at one call path, the innermost frame first.
struct Site {
  const std::vector<std::uint32_t>* path;
  std::uint32_t id;
};

// Functions of one source file that call each other, the innermost of which calls MPI or a wrapper;
// the outermost is called from another file.
struct Run {
  std::size_t begin = 0, end = 0;  // half-open, in the call path
};

// The functions of a source file that are called from others.
struct Entries {
  std::set<std::uint32_t> all, forwarding;
  std::map<std::uint32_t, std::set<std::uint32_t>> below;  // by entry: the functions of its runs
};

class WrapperFinder {
 public:
  WrapperFinder(const trace::Trace& trace, const std::function<bool(std::uint32_t)>& has_loop)
      : trace_(trace), has_loop_(has_loop) {
    number_functions();
    find_sites();
    count_calls();
  }

  std::vector<trace::Wrapper> find() {
    while (mark_shared() || mark_layers()) {
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const Function& f : functions_) {
      if (!f.is_wrapper) continue;
      for (const std::uint32_t frame : f.frames)
        found.emplace(trace_.frames[frame].function, trace_.frames[frame].file);
    }
    std::vector<trace::Wrapper> out;
    for (const auto& [function, file] : found) out.push_back({function, file});
    return out;
  }

 private:
  void number_functions() {
    std::map<std::tuple<std::string, std::uint32_t>, std::uint32_t> known;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::uint32_t> same;
    for (std::uint32_t i = 0; i < trace_.frames.size(); ++i) {
      const trace::Frame& f = trace_.frames[i];
      const auto modules = static_cast<std::uint32_t>(trace_.texts.size());
      const std::uint32_t source = f.line != 0 ? f.file : modules + f.module;
      const auto [entry, is_new] =
          known.try_emplace({trace::short_name(trace_.texts[f.function]), source},
                            static_cast<std::uint32_t>(functions_.size()));
      if (is_new) functions_.emplace_back().source = source;
      Function& function = functions_[entry->second];
      function.frames.push_back(i);
      if (f.function == 0) function.forwards = false;  // nobody could name it
      function_of_.push_back(entry->second);
      const std::uint64_t at = f.line != 0 ? f.line : f.offset;
      first_.push_back(same.try_emplace({entry->second, f.function, at}, i).first->second);
    }
  }

  void find_sites() {
    std::set<std::pair<trace::FunctionId, const std::vector<std::uint32_t>*>> known;
    for (const std::vector<std::uint32_t>& path : trace_.callpaths) {
      std::vector<std::uint32_t>& firsts = paths_.emplace_back();
      for (const std::uint32_t frame : path) firsts.push_back(first_[frame]);
    }
    std::map<std::vector<std::uint32_t>, const std::vector<std::uint32_t>*> same;
    for (const trace::Call& c : trace_.calls) {
      const std::vector<std::uint32_t>* path = &paths_[c.callpath];
      path = same.try_emplace(*path, path).first->second;
      if (known.emplace(c.function, path).second)
        sites_.push_back({path, static_cast<std::uint32_t>(sites_.size())});
    }
  }

  // Which functions forward, and who calls them.
  void count_calls() {
    using Node = std::uint32_t;  // frames from the outermost on
    std::map<std::pair<Node, std::uint32_t>, Node> nodes;
    std::map<std::pair<Node, std::uint32_t>, std::uint32_t> leads_to;  // caller and function: site
    for (const Site& site : sites_) {
      Node node = 0;
      std::set<std::uint32_t> seen;
      for (std::size_t i = site.path->size(); i-- > 0;) {
        const std::uint32_t frame = (*site.path)[i], f = function_of_[frame];
        Function& function = functions_[f];
        const bool is_outermost = i + 1 == site.path->size();
        if (is_outermost || !seen.insert(f).second) function.forwards = false;
        if (!is_outermost) {
          if (leads_to.try_emplace({node, f}, site.id).first->second != site.id)
            function.forwards = false;
          function.called_from.insert((*site.path)[i + 1]);
          function.callers.insert(function_of_[(*site.path)[i + 1]]);
        }
        node = nodes.try_emplace({node, frame}, static_cast<Node>(nodes.size() + 1)).first->second;
      }
    }
  }

  // Marks plain functions that pass one call on, to MPI or a wrapper, for two functions or more.
  bool mark_shared() {
    std::vector<bool> is_ready(functions_.size(), true);
    for (const Site& site : sites_) {
      bool below = true;  // nothing but wrappers
      for (const std::uint32_t frame : *site.path) {
        const std::uint32_t f = function_of_[frame];
        if (!below) is_ready[f] = false;
        below &= functions_[f].is_wrapper;
      }
    }
    bool any = false;
    for (std::size_t f = 0; f < functions_.size(); ++f) {
      Function& function = functions_[f];
      if (function.is_wrapper || !is_ready[f] || !function.forwards) continue;
      if (function.callers.size() < 2 || !is_plain(function)) continue;
      any = function.is_wrapper = true;
    }
    return any;
  }

  // Marks functions by which a source file offers MPI to others.
  bool mark_layers() {
    bool any = false;
    for (const auto& [source, entries] : entries_by_source()) {
      const auto is_clean = [&, &entries = entries](std::uint32_t entry) {
        return std::ranges::all_of(entries.below.at(entry),
                                   [&](std::uint32_t f) { return is_plain(functions_[f]); });
      };
      const auto plain =
          static_cast<std::size_t>(std::ranges::count_if(entries.forwarding, is_clean));
      const std::size_t n = entries.forwarding.size();
      const bool is_layer =
          n >= kLeastOfLayer &&
          static_cast<double>(n) >= kForwardingShare * static_cast<double>(entries.all.size()) &&
          static_cast<double>(plain) >= kPlainShare * static_cast<double>(n);
      for (const std::uint32_t entry : entries.forwarding) {
        if (!is_layer && (functions_[entry].called_from.size() < 2 || !is_clean(entry))) continue;
        for (const std::uint32_t f : entries.below.at(entry))
          any |= !std::exchange(functions_[f].is_wrapper, true);
      }
    }
    return any;
  }

  std::map<std::uint32_t, Entries> entries_by_source() const {
    std::map<std::uint32_t, Entries> out;
    std::set<std::uint32_t> others;  // entries that the same file calls as well, or do not forward
    for (const Site& site : sites_) {
      for (const Run& run : runs(*site.path)) {
        const std::uint32_t entry = function_at(site, run.end - 1);
        Entries& entries = out[functions_[entry].source];
        entries.all.insert(entry);
        for (std::size_t i = run.begin; i < run.end; ++i) {
          const std::uint32_t f = function_at(site, i);
          entries.below[entry].insert(f);
          if (!functions_[f].forwards) others.insert(entry);
        }
      }
    }
    for (auto& [source, entries] : out) {
      for (const std::uint32_t entry : entries.all) {
        const bool from_others = std::ranges::none_of(
            functions_[entry].callers,
            [&, s = source](std::uint32_t caller) { return functions_[caller].source == s; });
        if (from_others && !others.contains(entry)) entries.forwarding.insert(entry);
      }
    }
    return out;
  }

  // Those of which all that lies below are wrappers. The last function is called by nobody.
  std::vector<Run> runs(const std::vector<std::uint32_t>& path) const {
    std::vector<Run> out;
    for (std::size_t at = 0; at < path.size();) {
      Run run{at, at};
      bool wrappers = true;
      const std::uint32_t source = functions_[function_of_[path[at]]].source;
      for (; run.end < path.size() && functions_[function_of_[path[run.end]]].source == source;
           ++run.end) {
        wrappers &= functions_[function_of_[path[run.end]]].is_wrapper;
      }
      out.push_back(run);
      if (!wrappers) break;
      at = run.end;
    }
    return out;
  }

  std::uint32_t function_at(const Site& site, std::size_t i) const {
    return function_of_[(*site.path)[i]];
  }

  bool is_plain(Function& function) const {
    if (!function.is_plain) function.is_plain = std::ranges::none_of(function.frames, has_loop_);
    return *function.is_plain;
  }

  const trace::Trace& trace_;
  const std::function<bool(std::uint32_t)>& has_loop_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> function_of_;         // by frame
  std::vector<std::uint32_t> first_;               // by frame: the first that says the same
  std::vector<std::vector<std::uint32_t>> paths_;  // the call paths in first frames
  std::vector<Site> sites_;
};

}  // namespace

std::vector<trace::Wrapper> find_wrappers(const trace::Trace& trace,
                                          const std::function<bool(std::uint32_t)>& has_loop) {
  return WrapperFinder(trace, has_loop).find();
}

}  // namespace reprise::analyze
