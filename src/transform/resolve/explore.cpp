#include "transform/resolve/explore.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "trace/values/special.hpp"

namespace reprise::transform {
namespace {

class Search {
 public:
  Search(const trace::Trace& trace, const ExploreOptions& options)
      : trace_(trace), options_(options) {}

  Result<Explored> run() {
    Explored out;
    urgent_.push_back({Choices(trace_.ranks), {}});
    while (!urgent_.empty() || !others_.empty()) {
      if (out.orders == options_.orders || calls_ >= options_.calls) return out;
      std::deque<Order>& from = urgent_.empty() ? others_ : urgent_;
      const Order order = std::move(from.front());
      from.pop_front();
      OrderLog log;
      const auto walked =
          schedule(trace_, {.eager = options_.eager, .choices = &order.choices, .log = &log});
      if (!walked) return walked.error();
      ++out.orders;
      calls_ += walked->calls;
      is_exact_ &= !log.is_uncertain;
      if (walked->deadlock && log.is_possible()) {
        out.deadlock = walked->deadlock;
        out.taken = order.taken;
        return out;
      }
      add_others(order, log);
    }
    out.is_complete = is_exact_;
    return out;
  }

 private:
  struct Order {
    Choices choices;
    std::vector<Taken> taken;
  };

  void add_others(const Order& order, const OrderLog& log) {
    for (std::uint64_t rank = 0; rank < log.wildcards.size(); ++rank) {
      const auto& wildcards = log.wildcards[rank];
      for (std::size_t k = wildcards.size(); k-- > order.choices[rank].size();) {
        const OrderLog::Wildcard& w = wildcards[k];
        const OrderLog::Box& box = log.boxes[w.mailbox];
        if (!w.took || !box.matters()) continue;
        for (const Envelope& sent : box.sent) {
          const bool is_other = sent.source != *w.took;
          const bool fits = w.tag == trace::kAnyTag || w.tag == sent.tag;
          if (is_other && fits) add(order, rank, k, sent.source, log);
        }
      }
    }
  }

  void add(const Order& order, std::uint64_t rank, std::size_t k, std::int64_t source,
           const OrderLog& log) {
    Order next = order;
    std::vector<std::int64_t>& own = next.choices[rank];
    const auto& wildcards = log.wildcards[rank];
    for (std::size_t i = own.size(); i < k; ++i)
      own.push_back(wildcards[i].took.value_or(trace::kAnySource));
    own.push_back(source);
    if (!known_.insert(next.choices).second) return;
    next.taken.push_back({rank, wildcards[k].call, *wildcards[k].took, source});
    const bool is_named = log.boxes[wildcards[k].mailbox].asks_for(source);
    (is_named ? urgent_ : others_).push_back(std::move(next));
  }

  const trace::Trace& trace_;
  const ExploreOptions& options_;
  std::deque<Order> urgent_, others_;
  std::set<Choices> known_;
  std::uint64_t calls_ = 0;
  bool is_exact_ = true;
};

}  // namespace

Result<Explored> explore(const trace::Trace& trace, const ExploreOptions& options) {
  return Search(trace, options).run();
}

}  // namespace reprise::transform
