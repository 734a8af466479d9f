#include "trace/calls/function_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace reprise::trace {
namespace {

constexpr std::string_view kOperator = "operator";
constexpr std::string_view kLambda = "{lambda";

// Longer ones before their beginnings.
constexpr std::string_view kOperators[] = {
    "()", "[]", "->*", "->", "<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==",   "!=", "&&",
    "||", "++", "--",  "+=", "-=",  "*=",  "/=",  "%=", "^=", "&=", "|=", "\"\"", "<",  ">",
    "+",  "-",  "*",   "/",  "%",   "^",   "&",   "|",  "~",  "!",  "=",  ","};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Whether the word `operator` begins at a place.
bool is_operator(std::string_view name, std::size_t at) {
  if (!name.substr(at).starts_with(kOperator) || (at > 0 && is_word(name[at - 1]))) return false;
  const std::size_t end = at + kOperator.size();
  return end == name.size() || !is_word(name[end]);
}

// Behind the name of an operator that begins at a place. One that converts to a type is named by
// all that follows.
std::size_t end_of_operator(std::string_view name, std::size_t at) {
  at += kOperator.size();
  const auto known = std::ranges::find_if(
      kOperators, [&](std::string_view o) { return name.substr(at).starts_with(o); });
  if (known != std::end(kOperators)) return at + known->size();
  for (const std::string_view word : {" new[]", " delete[]", " new", " delete"}) {
    if (name.substr(at).starts_with(word)) return at + word.size();
  }
  return name.size();
}

// Behind the bracket that closes the one at a place; the end of the name if none does.
std::size_t end_of_bracket(std::string_view name, std::size_t at) {
  std::size_t depth = 0;
  while (at < name.size()) {
    const char c = name[at];
    if (is_operator(name, at)) {
      at = end_of_operator(name, at);
      continue;
    }
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    const bool closes = c == ')' || c == '}' || c == ']' || (c == '>' && name[at - 1] != '-');
    ++at;
    if (closes && --depth == 0) break;
  }
  return at;
}

// Whether what follows parameters belongs to them.
bool is_qualifier(std::string_view rest) {
  return rest.starts_with(" const") || rest.starts_with(" volatile") || rest.starts_with(" &");
}

// One of the names that "::" joins.
struct Component {
  std::string_view plain;  // without what follows in brackets
  std::string_view whole;
};

// What stands before the last space outside of brackets is a return type, unless the space stands
// behind parameters, as in "A::f() const::{lambda()#1}".
struct Parsed {
  std::size_t begin = 0;  // behind the return type
  std::vector<Component> components;
};

Parsed parse(std::string_view name) {
  Parsed out;
  std::size_t at = 0, component = 0, plain = 0;  // `plain`: the end of the plain part, 0: open
  const auto close = [&](std::size_t end) {
    out.components.push_back({name.substr(component, (plain ? plain : end) - component),
                              name.substr(component, end - component)});
    plain = 0;
  };
  while (at < name.size()) {
    const char c = name[at];
    if (is_operator(name, at)) {
      at = end_of_operator(name, at);
      if (plain == 0) plain = at;
      if (name.substr(at).starts_with(" <")) ++at;  // "operator<< <int>"
    } else if (name.substr(at).starts_with("::")) {
      close(at);
      at += 2;
      component = at;
    } else if (c == '(' || c == '<' || c == '[' || c == '{') {
      // A component that is a bracket, such as a lambda, has no other name.
      if (at > component && plain == 0) plain = at;
      at = end_of_bracket(name, at);
    } else if (c == ' ' && !(at > 0 && name[at - 1] == ')' && is_qualifier(name.substr(at)))) {
      out.components.clear();
      out.begin = component = ++at;
      plain = 0;
    } else {
      ++at;
    }
  }
  close(name.size());
  return out;
}

}  // namespace

std::string without_return_type(const std::string& name) {
  // Names in Fortran and of regions of OpenMP have spaces of another meaning.
  if (name.find_first_of("<{") == std::string::npos) return name;
  return name.substr(parse(name).begin);
}

std::string short_name(const std::string& name) {
  const std::size_t region = name.ends_with(" (omp)") ? name.size() - 6 : name.size();
  const std::string function = name.substr(0, region);
  if (function.find_first_of("<{([") == std::string::npos) return name;
  std::string out;
  bool in_lambda = false;
  for (const Component& c : parse(function).components) {
    if (c.whole == "(anonymous namespace)") continue;
    if (in_lambda && c.plain == "operator()") continue;
    in_lambda = c.whole.starts_with(kLambda);
    if (!out.empty()) out += "::";
    out += in_lambda ? "{lambda}" : c.plain;
  }
  return (out.empty() ? function : out) + name.substr(region);
}

}  // namespace reprise::trace
