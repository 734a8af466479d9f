// Results of an examination of a trace: contradictions, by call site, and what was not examined.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trace/calls/functions.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

// What holds in every run that ends.
enum class Rule : std::uint8_t {
  messages,       // as many are received as sent
  sizes,          // and there is room for them; no count is negative
  collectives,    // every member of a communicator makes the same ones on it
  communicators,  // sizes and ranks are those of the members that there are
  ranks           // peers and roots are ranks of the communicator
};

struct Finding {
  std::string what;         // the first of its kind
  std::uint64_t count = 0;  // of them
};

// An invalid value of a call.
struct BadValue {
  trace::FunctionId function{};
  std::int64_t rank = 0;
  std::string_view column;
  std::int64_t value = 0;
};

class Findings {
 public:
  using Calls = std::set<std::uint32_t>;  // indices into Trace::calls

  void contradict(Rule rule, const Calls& calls, const std::string& what) {
    if (found_.size() >= kMost && !found_.contains({rule, calls})) return;
    Finding& f = found_[{rule, calls}];
    if (f.count++ == 0) f.what = what;
  }
  // "MPI_Send of rank 3 has the count -1", and what follows.
  void contradict(Rule rule, std::uint32_t call, const BadValue& bad, const std::string& rest) {
    const std::string value(trace::is_special(bad.value)
                                ? std::string(trace::special_name(bad.value))
                                : std::to_string(bad.value));
    contradict(rule, {call},
               std::string(trace::function(bad.function).name) + " of rank " +
                   std::to_string(bad.rank) + " has the " + std::string(bad.column) + " " + value +
                   rest);
  }
  // In words: "what ... (why)".
  void leave_out(const std::string& what) { left_out_.insert(what); }

  const std::map<std::pair<Rule, Calls>, Finding>& found() const { return found_; }
  const std::set<std::string>& left_out() const { return left_out_; }

 private:
  static constexpr std::size_t kMost = 1000;  // sets of call sites

  std::map<std::pair<Rule, Calls>, Finding> found_;
  std::set<std::string> left_out_;
};

}  // namespace reprise::extrapolate
