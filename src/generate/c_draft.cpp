#include "generate/c_draft.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reprise::generate {

std::string Draft::variable(const Argument& a, const std::string& text) {
  if (text.size() <= kLongText && text.find("of(") == std::string::npos) return text;
  for (const auto& [known, variable] : variables) {
    if (known == text) return variable;
  }
  const std::string variable = fmt::format("{}_{}", a.name, site);
  out.before.push_back(fmt::format("const int {} = (int){};", variable, operand(inside(text))));
  variables.emplace_back(text, variable);
  return variable;
}

std::string Draft::list(std::size_t i, const Reading& reading) {
  const Argument& a = columns.arguments()[i];
  lists[i] = tools.lists.write(columns.list(a), point, reading, columns.name(a));
  if (!lists[i].before.empty()) out.before.push_back(lists[i].before);
  return lists[i].array;
}

void Draft::put_before(const std::string& statement) {
  if (!statement.empty() && std::ranges::find(out.before, statement) == out.before.end())
    out.before.push_back(statement);
}

}  // namespace reprise::generate
