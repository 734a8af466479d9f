// What the machine code of a program says of the call sites of a flow graph: the loops around each,
// and whether a call that follows another one lies in the same iteration.
//
// A loop instance is a loop of a function at a call path: the calling-context tree with the loop
// nests of its functions is the same for all ranks, whatever each of them skips.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "trace/calls/code.hpp"

namespace reprise::compress {

// How a call follows another one, as far as the code tells.
struct StepReading {
  enum class Kind : std::uint8_t {
    onward,   // later in the same iteration of the loops around both
    repeats,  // in the next iteration of `loop`, the innermost one that gets there
    unknown,
  };
  Kind kind = Kind::unknown;
  std::uint32_t loop = 0;
};

// By site, where the copies of its call lie.
using SitePaths = std::vector<std::vector<trace::CodePath>>;

// Whether one point of a function can follow another one within an iteration of the loops around
// both.
bool leads_on(const trace::CodeFunction& function, std::uint32_t from, std::uint32_t to);

class SiteCode {
 public:
  static constexpr std::uint32_t kNoLoop = trace::CodeFunction::kNoLoop;

  // Nothing is known of `sites` sites.
  explicit SiteCode(std::size_t sites = 0) : places_(sites) {}
  // `paths`: by site, where it lies; several times if it is several copies of one call, none if
  // that is not known. Loops around copies are one where they nest alike. Cost: O(n log n) for n
  // frames in all.
  SiteCode(std::vector<trace::CodeFunction> functions, SitePaths paths);

  // Loop instances are numbered from 0, outer ones first; the one around each, or kNoLoop.
  std::span<const std::uint32_t> parents() const { return parents_; }
  // Whether two instances are of one loop of the code, at different call paths.
  bool is_same_loop(std::size_t a, std::size_t b) const { return loop_of_[a] == loop_of_[b]; }
  // Whether two instances lie in one invocation of a function.
  bool is_in_same_call(std::size_t a, std::size_t b) const {
    return context_of_loop_[a] == context_of_loop_[b] && loop_of_[a].first == loop_of_[b].first;
  }
  // The trip count of an instance, if that is a constant of the machine code; 0: unknown, also
  // where the compiler copied calls in it, which may be of several iterations.
  std::uint64_t trips(std::size_t loop) const { return trips_[loop]; }
  // The loop instances around a site, the outermost first; of copies those around the deepest.
  std::span<const std::uint32_t> loops_around(std::uint32_t site) const;

  // How `to` follows `from`: decided in the deepest frame that both call paths share. If control
  // flow leads on from one call to the other there without closing a loop around both, they are in
  // the same iteration; else a loop around both repeats; if there is none the function has
  // returned, and its caller decides. Of copies of calls, any may have been taken.
  // Cost: O(frames + log calls of a function), for each pair of copies.
  StepReading read(std::uint32_t from, std::uint32_t to) const;

  // The sites in program order; where the code leaves it open, as in `order`.
  std::vector<std::uint32_t> in_program_order(std::vector<std::uint32_t> order) const;

 private:
  // A call path in the trie of all, with the loop instances around its call.
  struct Place {
    trace::CodePath path;
    std::vector<std::uint32_t> loops;   // the outermost first
    std::vector<std::uint32_t> begins;  // by frame: how many of these lie in outer frames
  };

  void add_place(std::size_t site, trace::CodePath path);
  void unite_loops_of_copies();
  void forget_trips_of_copies();
  StepReading read(const Place& from, const Place& to) const;
  // Within one function; kNoLoop if none holds both.
  static std::uint32_t innermost_common_loop(const trace::CodeFunction& function, std::uint32_t a,
                                             std::uint32_t b);

  std::vector<trace::CodeFunction> functions_;
  // By function: it calls itself. Call paths fold recursion, so that its frames do not tell which
  // of its invocations has returned.
  std::vector<bool> is_recursive_;
  std::vector<std::vector<Place>> places_;  // by site
  std::vector<std::uint32_t> parents_;      // by loop instance
  std::vector<std::uint64_t> trips_;        // by loop instance; 0: unknown
  // By loop instance: its function, and the loop of that.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loop_of_;
  std::vector<std::uint32_t> context_of_loop_;  // by loop instance: the call path of its function
  std::map<std::pair<std::uint32_t, trace::CodePoint>, std::uint32_t> context_of_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> instance_of_;
};

}  // namespace reprise::compress
