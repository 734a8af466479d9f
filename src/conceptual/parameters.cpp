#include "conceptual/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "conceptual/evaluate.hpp"
#include "conceptual/problem.hpp"
#include "conceptual/read/token.hpp"
#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {
namespace {

Error usage(const std::string& text) { return Error{text, Error::Kind::usage}; }

// Numbers are written as in programs: 64K, -5, 1E6.
std::optional<std::int64_t> number_of(const std::string& text) {
  try {
    const std::vector<Token> tokens = tokens_of(text);
    std::size_t i = 0;
    const bool negative = tokens[0].text == "-";
    if (negative || tokens[0].text == "+") ++i;
    if (tokens[i].kind != Token::Kind::number || tokens.size() != i + 2) return std::nullopt;
    return negative ? -tokens[i].value : tokens[i].value;
  } catch (const Problem&) {
    return std::nullopt;
  }
}

// An option, with the value that stands behind =, if any.
struct Option {
  std::string name;
  std::optional<std::string> value;
};

Option option_of(const std::string& word) {
  if (word.starts_with("--")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return {word, std::nullopt};
    return {word.substr(0, equals), word.substr(equals + 1)};
  }
  if (word.size() > 2 && word[0] == '-')
    return {word.substr(0, 2), word.substr(word[2] == '=' ? 3 : 2)};
  return {word, std::nullopt};
}

std::string options_text(const Program& program) {
  std::string out;
  for (const Parameter& p : program.parameters) out += p.long_option + ", ";
  return out + "--logfile, --comment and --help";
}

}  // namespace

Result<Arguments> parse_arguments(const Program& program, const std::vector<std::string>& words,
                                  std::int64_t num_tasks) {
  Arguments out;
  out.log_file = "-";
  std::vector<std::optional<std::int64_t>> given(program.parameters.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    Option option = option_of(words[i]);
    const auto parameter =
        std::find_if(program.parameters.begin(), program.parameters.end(), [&](const Parameter& p) {
          return p.long_option == option.name ||
                 (!p.short_option.empty() && p.short_option == option.name);
        });
    const bool is_help = option.name == "--help" || option.name == "-?" || option.name == "-h";
    if (is_help && parameter == program.parameters.end()) {
      out.help = true;
      continue;
    }
    const bool log = option.name == "--logfile" || option.name == "-L";
    const bool comment = option.name == "--comment" || option.name == "-C";
    if (parameter == program.parameters.end() && !log && !comment)
      return usage(words[i] + " is not understood (" + program.file +
                   " has no such option); it has " + options_text(program) +
                   ", and options of reprise run come before its name");
    if (!option.value && ++i < words.size()) option.value = words[i];
    if (!option.value) return usage(option.name + " needs a value; put one after it");
    if (log) {
      out.log_file = *option.value;
    } else if (comment) {
      out.comments.push_back(*option.value);
    } else {
      const std::optional<std::int64_t> value = number_of(*option.value);
      if (!value)
        return usage(option.name + " is " + *option.value +
                     " (it takes an integer, which may end in K, M, G, T or E and a number); give "
                     "one");
      given[static_cast<std::size_t>(parameter - program.parameters.begin())] = value;
    }
  }
  Environment variables(std::max<std::size_t>(program.slots, kPredeclared));
  variables[kNumTasks] = num_tasks;
  const Evaluator evaluator(variables, {num_tasks, nullptr});
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Parameter& p = program.parameters[i];
    try {
      out.values.push_back(given[i] ? *given[i] : evaluator.integer(p.value));
    } catch (const Problem& problem) {
      return Error{describe(program.file, problem)};
    }
    variables[p.slot] = out.values.back();
  }
  return out;
}

namespace {

// Finds assertions in sequences of the top level. Those in branches and loops may never be
// executed.
void find_assertions(const Statement& s, std::vector<const Relation*>& out) {
  if (const auto* assertion = std::get_if<Assert>(&s.what)) out.push_back(&assertion->relation);
  const auto* sequence = std::get_if<Sequence>(&s.what);
  if (sequence == nullptr) return;
  for (const Statement& inner : sequence->statements) find_assertions(inner, out);
}

// Whether all assertions hold. One that cannot be evaluated does not.
bool hold(const std::vector<const Relation*>& assertions, const Environment& variables,
          std::int64_t num_tasks) {
  const Evaluator evaluator(variables, {num_tasks, nullptr});
  try {
    return std::ranges::all_of(assertions, [&](const Relation* r) { return evaluator.holds(*r); });
  } catch (const Problem&) {
    return false;
  }
}

}  // namespace

std::optional<std::int64_t> least_tasks(const Program& program,
                                        const std::vector<std::string>& words) {
  // Larger runs are not started without -n.
  constexpr std::int64_t kMostTasks = 4096;
  std::vector<const Relation*> assertions;
  for (const Statement& s : program.statements) find_assertions(s, assertions);
  for (std::int64_t n = 2; n <= kMostTasks; ++n) {
    const auto arguments = parse_arguments(program, words, n);
    if (!arguments) return std::nullopt;
    Environment variables(std::max<std::size_t>(program.slots, kPredeclared));
    variables[kNumTasks] = n;
    for (std::size_t i = 0; i < program.parameters.size(); ++i)
      variables[program.parameters[i].slot] = arguments->values[i];
    if (hold(assertions, variables, n)) return n;
  }
  return std::nullopt;
}

std::string help_text(const Program& program) {
  std::vector<std::pair<std::string, std::string>> rows;
  Environment variables(std::max<std::size_t>(program.slots, kPredeclared));
  for (const Parameter& p : program.parameters) {
    std::string help = p.help;
    try {
      const std::int64_t value = Evaluator(variables, {1, nullptr}).integer(p.value);
      variables[p.slot] = value;
      help += " [default: " + std::to_string(value) + "]";
    } catch (const Problem&) {
      // Reported when the program runs.
    }
    rows.emplace_back(
        (p.short_option.empty() ? "    " : p.short_option + ", ") + p.long_option + "=<number>",
        help);
  }
  rows.emplace_back("-C, --comment=<text>", "A comment for the log; may be given several times");
  rows.emplace_back("-L, --logfile=<path>",
                    "The log; %p is the rank [default: -, the standard output]");
  const bool has_h = std::ranges::any_of(program.parameters,
                                         [](const Parameter& p) { return p.short_option == "-h"; });
  rows.emplace_back(has_h ? "-?, --help" : "-h, -?, --help", "This text");
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string out = "Usage: " + program.file + " [OPTION...]\n";
  for (const auto& [options, help] : rows)
    out += "  " + options + std::string(width - options.size() + 2, ' ') + help + '\n';
  return out;
}

std::string log_path(const std::string& log_file, std::int64_t rank) {
  std::string out;
  for (std::size_t i = 0; i < log_file.size(); ++i) {
    const char next = i + 1 < log_file.size() ? log_file[i + 1] : '\0';
    if (log_file[i] != '%' || (next != 'p' && next != '%')) {
      out += log_file[i];
      continue;
    }
    out += next == 'p' ? std::to_string(rank) : "%";
    ++i;
  }
  return out;
}

}  // namespace reprise::conceptual
