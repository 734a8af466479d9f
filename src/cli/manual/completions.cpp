#include "cli/manual/completions.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/manual/options.hpp"

namespace reprise::cli {
namespace {

// In single quotes for a POSIX shell; fish takes the same but for the quote itself.
std::string shell_quoted(std::string_view text, std::string_view quote = "'\\''") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out + "'";
}

std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* o : named_options(app)) {
    for (const std::string& name : names_of(*o)) out.push_back(name);
  }
  for (const CLI::App* sub : subcommands(app)) out.push_back(sub->get_name());
  return out;
}

// The words for `reprise help`: subcommands.
std::string names_of_subcommands(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* sub : subcommands(app)) out.push_back(sub->get_name());
  return fmt::format("{}", fmt::join(out, " "));
}

// The branch of a subcommand in `case "$command"`: values behind options, and the words themselves.
std::string bash_case(const CLI::App& app, const std::string& command) {
  std::string out = fmt::format("    '{}')\n      case $previous in\n", command);
  for (const CLI::Option* o : named_options(app)) {
    if (!takes_value(*o)) continue;
    const std::vector<std::string> choices = choices_of(*o);
    out += fmt::format("        {}) ", fmt::join(names_of(*o), "|"));
    out += choices.empty() ? "return ;;\n"
                           : fmt::format("words='{}'; options= ;;\n", fmt::join(choices, " "));
  }
  const std::vector<std::string> words = words_of(app);
  return out + fmt::format("        *) options='{}' ;;\n      esac ;;\n", fmt::join(words, " "));
}

std::string zsh_description(std::string text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const CLI::Option& o) {
  std::string value;
  if (takes_value(o)) {
    const std::vector<std::string> choices = choices_of(o);
    value = fmt::format(":{}:", zsh_description(value_name(o)));
    value += choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " "));
  }
  std::string out;
  for (const std::string& name : names_of(o)) {
    const std::string end = takes_value(o) && name.starts_with("--") ? "=" : "";
    out += fmt::format(
        " \\\n        {}",
        shell_quoted(name + end + "[" + zsh_description(o.get_description()) + "]" + value));
  }
  return out;
}

// Arguments of a subcommand, or the choice among its own subcommands first.
std::string zsh_arguments(const CLI::App& app) {
  std::string out = "_arguments -s";
  for (const CLI::Option* o : named_options(app)) out += zsh_option(*o);
  const std::vector<const CLI::App*> inner = subcommands(app);
  if (!inner.empty()) {
    out += fmt::format(" \\\n        '1:subcommand:({})'", names_of_subcommands(app));
    for (const CLI::App* sub : inner) {
      for (const CLI::Option* o : named_options(*sub)) {
        if (o->get_lnames() != std::vector<std::string>{"help"}) out += zsh_option(*o);
      }
    }
  }
  return out + " \\\n        '*:file:_files'";
}

std::string fish_quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\\' ? std::string("\\\\") : std::string(1, c);
  return shell_quoted(escaped, "\\'");
}

std::string fish_options(const CLI::App& app, const std::string& condition) {
  std::string out;
  for (const CLI::Option* o : named_options(app)) {
    out += "complete -c reprise -n " + fish_quoted(condition);
    for (const std::string& name : o->get_snames()) out += " -s " + name;
    for (const std::string& name : o->get_lnames()) out += " -l " + name;
    if (takes_value(*o)) {
      const std::vector<std::string> choices = choices_of(*o);
      out += choices.empty() ? " -r" : fmt::format(" -x -a '{}'", fmt::join(choices, " "));
    }
    out += " -d " + fish_quoted(o->get_description()) + "\n";
  }
  return out;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases, nested;
  for (const CLI::App* sub : subcommands(app)) {
    cases += sub->get_name() == "help"
                 ? fmt::format("    'help') words='{}' ;;\n", names_of_subcommands(app))
                 : bash_case(*sub, sub->get_name());
    for (const CLI::App* inner : subcommands(*sub)) {
      const std::string command = sub->get_name() + " " + inner->get_name();
      nested += (nested.empty() ? "'" : "|'") + command + "'";
      cases += bash_case(*inner, command);
    }
  }
  return fmt::format(R"(# Completions of reprise for bash. Generated; do not edit.
_reprise() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=${{COMP_WORDS[1]}} options='' words='' i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
    return
  fi
  # Behind -- stands a command of its own.
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${{COMP_WORDS[i]}} == -- ]]; then
      mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return
    fi
  done
  # --option=value is three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if ((COMP_CWORD > 2)); then
    case "$command ${{COMP_WORDS[2]}}" in
      {}) command="$command ${{COMP_WORDS[2]}}" ;;
    esac
  fi
  case $command in
{}  esac
  if [[ $current != -* ]]; then
    # Options are named where one is begun; subcommands and values at once.
    for i in $options; do
      [[ $i == -* ]] || words+=" $i"
    done
    options=''
  fi
  mapfile -t COMPREPLY < <(compgen -W "$options $words" -- "$current")
}}
complete -o default -F _reprise reprise
)",
                     fmt::join(words_of(app), " "), nested.empty() ? "''" : nested, cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* sub : subcommands(app)) {
    list += "    " + shell_quoted(sub->get_name() + ":" + zsh_description(sub->get_description())) +
            "\n";
    cases += fmt::format("      {})\n        {} ;;\n", sub->get_name(),
                         sub->get_name() == "help"
                             ? "_arguments '1:subcommand:(" + names_of_subcommands(app) + ")'"
                             : zsh_arguments(*sub));
  }
  return fmt::format(R"(#compdef reprise
# Completions of reprise for zsh. Generated; do not edit.
_reprise() {{
  local context state state_descr line
  typeset -A opt_args
  local -a subcommands=(
{}  )
  _arguments -C '1:subcommand:->subcommand' '*::argument:->argument'
  case $state in
    subcommand) _describe 'subcommand' subcommands ;;
    argument)
      case $words[1] in
{}      esac ;;
  esac
}}
_reprise "$@"
)",
                     list, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string out = "# Completions of reprise for fish. Generated; do not edit.\n";
  out += fish_options(app, "__fish_use_subcommand");
  for (const CLI::App* sub : subcommands(app)) {
    const std::string is_given = "__fish_seen_subcommand_from " + sub->get_name();
    out += fmt::format("complete -c reprise -f -n __fish_use_subcommand -a {} -d {}\n",
                       sub->get_name(), fish_quoted(sub->get_description()));
    out += fish_options(*sub, is_given);
    for (const CLI::App* inner : subcommands(*sub)) {
      out += fmt::format("complete -c reprise -n '{}' -a {} -d {}\n", is_given, inner->get_name(),
                         fish_quoted(inner->get_description()));
      out +=
          fish_options(*inner, is_given + "; and __fish_seen_subcommand_from " + inner->get_name());
    }
  }
  return out + fmt::format("complete -c reprise -f -n '__fish_seen_subcommand_from help' -a '{}'\n",
                           names_of_subcommands(app));
}

}  // namespace reprise::cli
