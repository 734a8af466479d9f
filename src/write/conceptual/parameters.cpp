#include "write/conceptual/parameters.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace reprise::write::conceptual {
namespace {

// More sizes than these stand in the text as they are.
constexpr std::size_t kMaxSizes = 16;
// More loops than these have numbers of repetitions that are no parameters.
constexpr std::size_t kMaxLoops = 8;

// The language asks for an option of one letter beside each other one. Those that start loops and
// sizes come first, then all others. -h is left to those who look for help.
constexpr std::string_view kLetters = "abcdefgijklmnopqrstuvwxyz0123456789";

// That of computation has to have one, whatever else has.
constexpr std::size_t kKept = 1;

constexpr std::string_view kComputePercent = "compute_percent";

// The function's name as part of that of a variable.
std::string variable_of(const std::string& function) {
  std::string out;
  for (const char c : function) {
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_part) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!is_part && !out.empty() && out.back() != '_') out += '_';
  }
  return out.substr(0, 32);
}

// The letter of an option: that with which a part of it begins, or else the first one that nobody
// has.
char take_letter(const std::string& name, std::string& free) {
  std::size_t at = std::string::npos;
  for (std::size_t i = 0; at == std::string::npos && i < name.size(); ++i) {
    if (i == 0 || name[i - 1] == '_') at = free.find(name[i]);
  }
  if (at == std::string::npos && std::isdigit(static_cast<unsigned char>(name.back())))
    at = free.find(name.back());
  if (at == std::string::npos) at = 0;
  const char out = free[at];
  free.erase(at, 1);
  return out;
}

}  // namespace

bool Parameters::has_room() const { return all_.size() + kKept < kLetters.size(); }

bool Parameters::declare(Parameter parameter) {
  if (!has_room()) return false;
  all_.push_back(std::move(parameter));
  return true;
}

ast::Expr Parameters::repetitions(std::int64_t trips, const std::string& call) {
  const std::string n = std::to_string(loops_ + 1);
  if (loops_ == kMaxLoops ||
      !declare({Kind::loop, "reps" + n, "Repetitions of the loop with " + call, trips}))
    return number(trips);
  ++loops_;
  return variable("reps" + n);
}

ast::Expr Parameters::last_repetition(std::int64_t trips, const std::string& call) {
  ast::Expr count = repetitions(trips, call);
  if (count.op != ast::Op::variable) return number(trips - 1);
  positive_.push_back(count.name);
  return binary(ast::Op::subtract, std::move(count), number(1));
}

ast::Expr Parameters::size(ast::Expr bytes) {
  if (bytes.op != ast::Op::number || bytes.value <= 0) return bytes;
  const auto found = sizes_.find(bytes.value);
  if (found != sizes_.end()) return variable(found->second);
  const std::string name = "size" + std::to_string(sizes_.size() + 1);
  const std::string what = "Bytes of messages that had " + std::to_string(bytes.value);
  if (sizes_.size() == kMaxSizes || !declare({Kind::size, name, what, bytes.value})) return bytes;
  sizes_.emplace(bytes.value, name);
  return variable(name);
}

ast::Expr Parameters::compute_percent() {
  const std::string name(kComputePercent);
  if (std::ranges::find(all_, name, &Parameter::name) == all_.end()) {
    all_.insert(all_.begin(),
                {Kind::percent, name, "Computation, in percent of what was recorded", 100});
  }
  return variable(name);
}

std::optional<ast::Expr> Parameters::function_percent(const std::string& function) {
  if (const auto known = functions_.find(function); known != functions_.end())
    return variable(known->second);
  const std::string own = "percent_" + variable_of(function);
  std::string name = own;
  const auto is_taken = [&] {
    return std::ranges::find(all_, name, &Parameter::name) != all_.end();
  };
  for (int i = 2; is_taken(); ++i) name = own + "_" + std::to_string(i);
  if (!declare({Kind::percent, name, "Computation in " + function + ", in percent", 100}))
    return std::nullopt;
  functions_.emplace(function, name);
  return variable(name);
}

void Parameters::add(const std::string& name, const std::string& option, const std::string& what,
                     std::int64_t value) {
  all_.push_back({Kind::own, name, what, value, option});
}

std::vector<ast::Parameter> Parameters::declarations() const {
  std::vector<Parameter> sorted = all_;
  std::ranges::stable_sort(sorted, {}, &Parameter::kind);
  std::string free(kLetters);
  std::vector<ast::Parameter> out;
  for (const Parameter& p : sorted) {
    ast::Parameter& declared = out.emplace_back();
    declared.name = p.name;
    declared.help = p.what;
    declared.long_option = "--" + p.option;
    declared.short_option = std::string("-") + take_letter(p.option, free);
    declared.value = number(p.value);
  }
  return out;
}

Statements Parameters::assertions() const {
  Statements out;
  for (const std::string& name : positive_) {
    out.push_back(
        statement(ast::Assert{name + " is at least 1",
                              relation(ast::Relation::Kind::at_least, variable(name), number(1))}));
  }
  return out;
}

}  // namespace reprise::write::conceptual
