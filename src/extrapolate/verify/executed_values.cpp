#include "extrapolate/verify/executed_values.hpp"

#include <algorithm>
#include <optional>

#include "trace/series/series_sum.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Item;
using trace::Series;
using trace::SeriesCursor;
using trace::Value;

constexpr std::size_t kMostKept = 64;                          // combinations of series, a call
constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 40;  // more are damage

// A value, stream after stream: amortised O(1) each.
class ByStream {
 public:
  explicit ByStream(const Value& value) : value_(&value), streams_(value.by_stream) {}

  void next() {
    if (value_->classes.size() != 1) now_ = streams_.next();
  }
  // Null: one number.
  const Series* series() const {
    if (value_->classes.empty()) return nullptr;
    if (value_->classes.size() == 1) return &value_->classes.front();
    const auto index = static_cast<std::size_t>(now_);
    return &value_->classes[index < value_->classes.size() ? index : 0];
  }
  std::int64_t number() const { return now_; }

 private:
  const Value* value_;
  SeriesCursor streams_;
  std::int64_t now_ = 0;
};

// How often the rank that the cursors stand at comes by each item.
class Counts {
 public:
  explicit Counts(const trace::Trace& trace) : calls_(trace.calls.size()) { add(trace.root); }

  const std::vector<std::uint64_t>& next() {
    if (known_ && uniform_) return calls_;
    known_ = true;
    for (Node& n : nodes_) n.trips.next();
    std::ranges::fill(calls_, 0);
    std::size_t at = 0;
    count(at, 1);
    return calls_;
  }

 private:
  struct Node {
    ByStream trips;
    std::uint32_t call;
    std::size_t children;            // that follow, with theirs
    const Series* series = nullptr;  // the sum that was asked for last
    std::uint64_t passes = 0, sum = 0;
  };

  void add(const Item& item) {
    const std::size_t at = nodes_.size();
    nodes_.push_back({ByStream(item.trips), item.call, 0});
    uniform_ = uniform_ && (item.trips.is_constant() || item.trips.classes.size() == 1);
    for (const Item& i : item.body) add(i);
    nodes_[at].children = nodes_.size() - at - 1;
  }

  // Trips of a node in all of its passes; 0 for damage.
  static std::uint64_t trips(Node& n, std::uint64_t passes) {
    const Series* series = n.trips.series();
    if (series == nullptr) {
      const std::int64_t each = n.trips.number();
      if (each <= 0 || static_cast<std::uint64_t>(each) > kMostVisits / passes) return 0;
      return static_cast<std::uint64_t>(each) * passes;
    }
    if (series != n.series || passes != n.passes) {
      const std::int64_t sum = trace::sum_of(*series, passes);
      const bool valid = sum > 0 && static_cast<std::uint64_t>(sum) <= kMostVisits;
      n.series = series;
      n.passes = passes;
      n.sum = valid ? static_cast<std::uint64_t>(sum) : 0;
    }
    return n.sum;
  }

  void count(std::size_t& at, std::uint64_t passes) {
    Node& n = nodes_[at];
    const std::size_t end = ++at + n.children;
    const std::uint64_t taken = trips(n, passes);
    if (taken == 0) {
      at = end;
      return;
    }
    if (n.call != Item::kBody) calls_[n.call] += taken;
    while (at < end) count(at, taken);
  }

  std::vector<Node> nodes_;  // parents before their children
  std::vector<std::uint64_t> calls_;
  bool uniform_ = true;  // every rank makes the same trips
  bool known_ = false;
};

// Equal combinations of values, and how often.
using Groups = std::vector<std::pair<std::vector<std::int64_t>, std::uint64_t>>;

// One column of the combinations.
class Column {
 public:
  explicit Column(const ByStream& v) : number_(v.number()), series_(v.series()) {
    if (series_ != nullptr) cursor_ = SeriesCursor(*series_);
  }

  std::int64_t value() const {
    if (series_ == nullptr) return number_;
    return cursor_.at_end() ? 0 : cursor_.peek();
  }
  // How often the value comes now, one after the other, at most n.
  std::uint64_t same(std::uint64_t n) const {
    if (series_ == nullptr || cursor_.at_end()) return n;
    return cursor_.step() == 0 ? std::min(n, cursor_.peek_count()) : 1;
  }
  void skip(std::uint64_t n) {
    if (series_ != nullptr && !cursor_.at_end()) cursor_.skip(n);
  }

 private:
  std::int64_t number_;
  const Series* series_;
  SeriesCursor cursor_;
};

// The columns asked for of one call.
class CallColumns {
 public:
  CallColumns(const trace::Call& call, const std::vector<std::size_t>& asked) {
    for (const std::size_t c : asked) columns_.emplace_back(call.columns[c]);
  }

  void next() {
    for (ByStream& c : columns_) c.next();
  }

  // Visits what the present rank does in n executions; false if the budget is used up.
  bool visit(Visit v, std::uint64_t n, Budget& budget,
             const std::function<void(const Visit&)>& visit) {
    values_.clear();
    for (const ByStream& c : columns_) values_.push_back(c.number());
    if (std::ranges::all_of(columns_, [](const ByStream& c) { return c.series() == nullptr; })) {
      v.times = n;
      v.values = values_;
      visit(v);
      return budget.take(1);
    }
    const Groups* groups = grouped(n, budget);
    if (groups == nullptr || !budget.take(groups->size())) return false;
    for (const auto& [values, times] : *groups) {
      v.times = times;
      v.values = values;
      visit(v);
    }
    return true;
  }

 private:
  // What decides a rank's combinations.
  std::string key_of(std::uint64_t n) const {
    std::string key;
    const auto put = [&key](const auto& v) {
      key.append(reinterpret_cast<const char*>(&v), sizeof(v));
    };
    put(n);
    for (const ByStream& c : columns_) {
      put(c.series());
      if (c.series() == nullptr) put(c.number());
    }
    return key;
  }

  const Groups* grouped(std::uint64_t n, Budget& budget) {
    std::string key = key_of(n);
    if (const auto found = known_.find(key); found != known_.end()) return &found->second;
    std::map<std::vector<std::int64_t>, std::uint64_t> counted;
    std::vector<Column> at(columns_.begin(), columns_.end());
    for (std::uint64_t left = n; left > 0;) {
      if (!budget.take(1)) return nullptr;
      std::uint64_t same = left;
      std::vector<std::int64_t> values;
      for (const Column& c : at) {
        same = c.same(same);
        values.push_back(c.value());
      }
      for (Column& c : at) c.skip(same);
      counted[std::move(values)] += same;
      left -= same;
    }
    if (known_.size() >= kMostKept) known_.clear();
    return &known_.emplace(std::move(key), Groups(counted.begin(), counted.end())).first->second;
  }

  std::vector<ByStream> columns_;
  std::vector<std::int64_t> values_;
  std::map<std::string, Groups> known_;
};

}  // namespace

bool visit_calls(const trace::Trace& trace, const AskedColumns& asked, Budget& budget,
                 const std::function<void(const Visit&)>& visit) {
  Counts counts(trace);
  std::vector<std::pair<std::uint32_t, CallColumns>> columns;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    if (!asked[c].empty()) columns.emplace_back(c, CallColumns(trace.calls[c], asked[c]));
  }
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    const auto& times = counts.next();
    for (auto& [call, values] : columns) {
      values.next();
      if (times[call] == 0) continue;
      const Visit v{call, static_cast<std::int64_t>(r), 0, {}};
      if (!values.visit(v, times[call], budget, visit)) return false;
    }
  }
  return true;
}

void visit_counts(
    const trace::Trace& trace,
    const std::function<void(std::int64_t rank, const std::vector<std::uint64_t>& times)>& visit) {
  Counts counts(trace);
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    visit(static_cast<std::int64_t>(r), counts.next());
  }
}

}  // namespace reprise::extrapolate
