#include <algorithm>
#include <charconv>

#include "conceptual/evaluate.hpp"
#include "conceptual/execute.hpp"

namespace reprise::conceptual {
namespace {

std::optional<std::int64_t> parse_number(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

}  // namespace

Result<Arguments> read_arguments(const Program& program, const std::vector<std::string>& words,
                                 std::int64_t tasks) {
  Arguments out;
  out.values.resize(static_cast<std::size_t>(program.slots));
  out.values[kNumTasks] = tasks;
  try {
    for (const Parameter& p : program.parameters) {
      out.values[static_cast<std::size_t>(p.slot)] = evaluate(p.preset, out.values);
    }
  } catch (const RunError& e) {
    return Error{e.problem + " in the default of a parameter"};
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "--help" || word == "-h") {
      out.wants_help = true;
      return out;
    }
    std::optional<std::string> given;
    if (const auto at = word.find('='); word.starts_with("--") && at != std::string::npos) {
      given = word.substr(at + 1);
      word = word.substr(0, at);
    }
    const auto p = std::ranges::find_if(program.parameters, [&](const Parameter& q) {
      return word == q.long_option || (!q.short_option.empty() && word == q.short_option);
    });
    if (p == program.parameters.end()) {
      return Error{"the program has no parameter " + word + " (--help lists them)",
                   Error::Kind::usage};
    }
    if (!given && i + 1 < words.size()) given = words[++i];
    const auto value = given ? parse_number(*given) : std::nullopt;
    if (!value) return Error{word + " takes a whole number", Error::Kind::usage};
    out.values[static_cast<std::size_t>(p->slot)] = *value;
  }
  return out;
}

std::string describe_parameters(const Program& program) {
  std::string out;
  for (const Parameter& p : program.parameters) {
    const std::string options =
        p.long_option + (p.short_option.empty() ? "" : ", " + p.short_option);
    out += "  " + options + std::string(options.size() < 26 ? 28 - options.size() : 2, ' ') +
           p.description;
    if (p.preset.op == Operator::number) out += " [" + std::to_string(p.preset.value) + "]";
    out += "\n";
  }
  return out;
}

}  // namespace reprise::conceptual
