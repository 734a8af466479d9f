#include "base/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace reprise {
namespace {

// Insertions, deletions and replacements from one word to the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::vector<std::string>& known, const std::string& word) {
  std::string best;
  std::size_t least = (2 + word.size()) / 3;
  for (const std::string& k : known) {
    // What is left out at the end: --lang for --language.
    if (word.size() > least + 2 && k.starts_with(word)) return k;
    const std::size_t here = distance(word, k);
    if (here < least || (here == least && best.empty())) {
      least = here;
      best = k;
    }
  }
  return best;
}

}  // namespace reprise
