#include "generate/task_layout.hpp"

#include <algorithm>

#include "generate/task_names.hpp"

namespace reprise::generate {
namespace {

std::string indent(int depth) { return std::string(2 * static_cast<std::size_t>(depth), ' '); }

}  // namespace

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
