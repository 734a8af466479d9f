#include "cli/manual/man_page.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/manual/options.hpp"
#include "conceptual/options.hpp"

namespace reprise::cli {
namespace {

// Text that roff prints as it is.
std::string roff(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && (c == '.' || c == '\'')) out += "\\&";
    at_begin = c == '\n';
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '`': out += "\\(ga"; break;
      default: out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string title(const std::string& name) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH \"{}\" 1 \"\" \"reprise {}\" \"Reprise\"\n", roff(upper),
                     REPRISE_VERSION);
}

// Lines that stay as they are.
std::string as_it_is(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::string sentence(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() || text.back() == '.' ? text : text + ".";
}

std::string value_text(const CLI::Option& o) {
  if (!takes_value(o)) return "";
  const std::vector<std::string> choices = choices_of(o);
  return " " + (choices.empty() ? italic(value_name(o))
                                : bold(fmt::format("{}", fmt::join(choices, "|"))));
}

std::string option_text(const CLI::Option& o) {
  std::string names;
  for (const std::string& name : names_of(o)) names += (names.empty() ? "" : ", ") + bold(name);
  std::string out = ".TP\n" + names + value_text(o) + "\n" + roff(sentence(o.get_description()));
  if (o.get_required()) out += " Required.";
  if (takes_value(o) && !o.get_default_str().empty())
    out += " Default: " + bold(o.get_default_str()) + ".";
  return out + "\n";
}

std::string positional_text(const CLI::Option& o) {
  const bool is_many = o.get_items_expected_max() > 1;
  const std::string name = italic(o.get_name(true)) + (is_many ? "..." : "");
  return o.get_required() ? name : "[" + name + "]";
}

std::string synopsis(const CLI::App& app, const std::string& command) {
  std::string out = bold(command);
  if (!named_options(app).empty()) out += " [" + italic("OPTION") + "...]";
  for (const CLI::Option* o : positionals(app)) out += " " + positional_text(*o);
  if (!subcommands(app).empty()) out += " " + italic("SUBCOMMAND") + " ...";
  if (app.get_prefix_command()) out += " " + italic(conceptual::kOperands);
  return out + "\n";
}

std::string options_text(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* o : positionals(app)) {
    out += ".TP\n" + italic(o->get_name(true)) + "\n" + roff(sentence(o->get_description())) + "\n";
  }
  for (const CLI::Option* o : named_options(app)) out += option_text(*o);
  return out;
}

std::string name_section(const std::string& name, const std::string& description) {
  return ".SH NAME\n" + roff(name) + " \\- " + roff(description) + "\n";
}

}  // namespace

std::string man_page_of_program(const CLI::App& app) {
  std::string out = title(app.get_name());
  out += name_section(app.get_name(), "record MPI programs into small traces, and work with them");
  out += ".SH SYNOPSIS\n" + synopsis(app, app.get_name());
  out += ".SH DESCRIPTION\n" + as_it_is(app.get_description());
  out += ".SH SUBCOMMANDS\n";
  for (const CLI::App* sub : subcommands(app)) {
    out += ".TP\n" + bold(sub->get_name()) + "\n" + roff(sentence(sub->get_description())) + "\n";
  }
  out += ".SH OPTIONS\n" + options_text(app);
  out +=
      ".SH EXIT STATUS\n0 for success, 2 for a command line that makes no sense, 1 for other "
      "problems. "
      "`reprise record` ends with the status of the command that it runs.\n";
  out += ".SH SEE ALSO\n";
  std::string others;
  for (const CLI::App* sub : subcommands(app)) {
    others += (others.empty() ? "" : ",\n") +
              fmt::format(".BR {} (1)", roff("reprise-" + sub->get_name()));
  }
  std::erase(others, ',');
  return out + others + "\n";
}

std::string man_page_of(const CLI::App& sub) {
  const std::string name = "reprise-" + sub.get_name(), command = "reprise " + sub.get_name();
  std::string out = title(name) + name_section(name, sub.get_description());
  out += ".SH SYNOPSIS\n" + synopsis(sub, command);
  out += ".SH OPTIONS\n" + options_text(sub);
  for (const CLI::App* inner : subcommands(sub)) {
    const std::string inner_command = command + " " + inner->get_name();
    out += ".SH " + roff(inner->get_name()) + "\n" + roff(sentence(inner->get_description())) +
           "\n.PP\n";
    out += synopsis(*inner, inner_command) + options_text(*inner);
    if (!inner->get_footer().empty()) out += ".PP\n" + as_it_is(inner->get_footer());
  }
  if (!sub.get_footer().empty()) out += ".SH NOTES\n" + as_it_is(sub.get_footer());
  return out + ".SH SEE ALSO\n.BR reprise (1)\n";
}

}  // namespace reprise::cli
