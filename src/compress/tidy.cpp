#include "compress/tidy.hpp"

#include <algorithm>

namespace reprise::compress {

using trace::Item;
using trace::Series;
using trace::Value;

namespace {

bool all_at_most_one(const std::vector<trace::Term>& terms) {
  return std::ranges::all_of(terms, [](const trace::Term& t) {
    if (!t.is_run()) return t.step == 0 && all_at_most_one(t.body);
    if (t.value < 0 || t.value > 1) return false;
    return t.step == 0 || (t.count == 2 && t.value + t.step >= 0 && t.value + t.step <= 1);
  });
}

bool is_branch(const Value& trips) {
  if (trips.classes.empty()) return at_most_one(trips.by_stream);
  return std::ranges::all_of(trips.classes, [](const Series& s) { return at_most_one(s); });
}

// Neighbours that are taken together become one branch, and a body that is passed once is no loop.
// REQUIRES: the bodies of the items are tidy.
void tidy(std::vector<Item>& items) {
  const Value once = Value::constant(1);
  std::vector<Item> out;
  const auto put = [&out, &once](Item item) {
    if (!item.is_call() && item.trips == once) {
      std::ranges::move(item.body, std::back_inserter(out));
    } else {
      out.push_back(std::move(item));
    }
  };
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    if (items[i].trips != once && is_branch(items[i].trips)) {
      while (end < items.size() && items[end].trips == items[i].trips) ++end;
    }
    if (end == i + 1) {
      put(std::move(items[i++]));
      continue;
    }
    Item branch;
    branch.trips = items[i].trips;
    for (; i < end; ++i) {
      items[i].trips = once;
      branch.body.push_back(std::move(items[i]));
    }
    tidy(branch.body);
    put(std::move(branch));
  }
  items = std::move(out);
}

}  // namespace

bool at_most_one(const Series& trips) { return all_at_most_one(trips.terms()); }

Item lay_out_items(const LoopTree& tree, std::vector<Value> trips,
                   const std::vector<std::uint32_t>& call_of) {
  std::vector<Item> items(tree.items.size());
  // Bodies stand behind their items, so that going backwards every body is complete.
  for (std::size_t i = items.size(); i-- > 0;) {
    const LoopTree::Item& from = tree.items[i];
    items[i].trips = std::move(trips[i]);
    if (from.site != LoopTree::kBody) {
      items[i].call = call_of[from.site];
      continue;
    }
    for (const std::uint32_t child : from.body) items[i].body.push_back(std::move(items[child]));
    tidy(items[i].body);
  }
  return std::move(items.front());
}

}  // namespace reprise::compress
