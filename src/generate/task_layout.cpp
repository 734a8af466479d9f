#include "generate/task_layout.hpp"

#include <algorithm>
#include <string_view>

#include "generate/task_names.hpp"

namespace reprise::generate {
namespace {

std::string indent(int depth) { return std::string(2 * static_cast<std::size_t>(depth), ' '); }

constexpr std::size_t kWidth = 100;  // of a line that need not be broken [characters]
constexpr std::size_t kMore = 4;     // by which the rest of a broken line stands further in

// Where to break a line that is too long: at a blank outside of strings, in as few parentheses as
// may be and behind WHILE or THEN rather than elsewhere, as late as may be. The second half of the
// line is better than the first; npos: nowhere.
std::size_t break_of(const std::string& line, std::size_t begin) {
  std::size_t best = std::string::npos;
  int depth = 0, least = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quoted) {
      ++i;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c != ' ') continue;
    if (i > kWidth) return best == std::string::npos ? i : best;
    const std::string_view before = std::string_view(line).substr(0, i);
    const int cost = depth - (before.ends_with(" WHILE") || before.ends_with(" THEN") ? 1 : 0);
    const bool is_early = best != std::string::npos && best < begin + (kWidth - begin) / 2;
    if (best == std::string::npos || cost <= least || is_early) {
      best = i;
      least = cost;
    }
  }
  return best;
}

}  // namespace

std::string broken(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const bool is_comment = begin < line.size() && line[begin] == '#';
    std::size_t from = begin;
    while (!is_comment && line.size() > kWidth) {
      const std::size_t blank = break_of(line, from);
      if (blank == std::string::npos) break;
      out += line.substr(0, blank) + "\n";
      from = begin + kMore;
      line = std::string(from, ' ') + line.substr(blank + 1);
    }
    out += line + "\n";
  }
  return out;
}

std::string both(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + " /\\ " + b;
}

std::string tasks_such_that(const std::string& condition, const std::string& name) {
  if (condition.empty()) return "ALL TASKS " + name;
  return "TASKS " + name + " SUCH THAT " + condition;
}

std::string joined(const std::vector<std::string>& statements, int depth) {
  std::string out;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::string& text = statements[i];
    std::string line;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      line += indent(depth) + text.substr(at, end - at) + (end < text.size() ? "\n" : "");
      at = end + 1;
    }
    out += line + (i + 1 < statements.size() ? " THEN\n" : "");
  }
  return out;
}

void add_loop(const std::string& head, const std::string& counted_head, const std::string& name,
              const std::vector<std::string>& statements, std::vector<std::string>& out) {
  if (statements.empty()) return;
  const std::string inner = joined(statements, 1);
  out.push_back((uses(inner, name) || counted_head.empty() ? head : counted_head) + " {\n" + inner +
                "\n}");
}

}  // namespace reprise::generate
