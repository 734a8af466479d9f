#include "cli/extrapolate/extrapolate_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <regex>

#include "base/files.hpp"
#include "cli/record/outputs.hpp"
#include "expr/leaf.hpp"

namespace reprise::cli {

using extrapolate::ProblemParameter;
using extrapolate::TimeModel;

namespace {

constexpr std::uint64_t kMostPatterns = std::uint64_t{1} << 20;  // [bytes] of a file

[[noreturn]] void throw_says_nothing(const std::string& text) {
  throw CommandError{
      fmt::format(
          "--at {} is not a value of a declared parameter (it takes one value of a parameter that "
          "--param declares); declare the parameter with --param",
          text),
      2};
}

// What an option says behind "name=", and the name.
std::pair<std::string, std::string> parse_setting(const std::string& option,
                                                  const std::string& text) {
  static const std::regex kSetting("([A-Za-z][A-Za-z_0-9]*)=(.+)");
  // What expressions have names for already.
  static const std::regex kTaken("proc_null|min|max|xor");
  std::smatch parts;
  if (!std::regex_match(text, parts, kSetting)) {
    throw CommandError{
        fmt::format("{} {} is not understood (it takes a name, = and whole numbers); "
                    "for example {} n={}",
                    option, text, option, option == "--at" ? "512" : "64,128,256"),
        2};
  }
  const bool is_leaf = expr::leaf_of(parts[1].str()).kind != expr::LeafKind::declared;
  if (is_leaf || std::regex_match(parts[1].str(), kTaken)) {
    throw CommandError{fmt::format("{} {} is not possible (laws use that name for something else); "
                                   "rename the parameter",
                                   option, parts[1].str()),
                       2};
  }
  return {parts[1], parts[2]};
}

std::vector<std::int64_t> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<std::int64_t> out;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    const bool goes_on = next != end && *next == ',' && next + 1 != end;
    if (error != std::errc() || number < 1 || (next != end && !goes_on)) {
      throw CommandError{fmt::format("{} {} is not understood (it takes positive whole numbers, "
                                     "separated by commas); for example 64,128,256",
                                     option, text),
                         2};
    }
    out.push_back(number);
    at = goes_on ? next + 1 : end;
  }
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> parse_wanted(
    const std::vector<std::string>& wanted) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const std::string& text : wanted) {
    const auto [name, number] = parse_setting("--at", text);
    const std::vector<std::int64_t> value = parse_numbers("--at", number);
    if (value.size() != 1) throw_says_nothing(text);
    out.emplace_back(name, value.front());
  }
  return out;
}

std::vector<ProblemParameter> declared_parameters(const std::vector<std::string>& parameters,
                                                  const std::vector<std::string>& wanted,
                                                  std::size_t inputs) {
  std::vector<ProblemParameter> out;
  for (const std::string& text : parameters) {
    const auto [name, numbers] = parse_setting("--param", text);
    ProblemParameter p{name, parse_numbers("--param", numbers), 0};
    if (p.values.size() != inputs) {
      throw CommandError{fmt::format("--param {} has {} values and there are {} traces (each needs "
                                     "one, in their order); give as many",
                                     text, p.values.size(), inputs),
                         2};
    }
    if (std::ranges::any_of(out, [&](const auto& q) { return q.name == p.name; })) {
      throw CommandError{fmt::format("--param {} is given twice; leave one out", p.name), 2};
    }
    out.push_back(std::move(p));
  }
  for (const auto& [name, value] : parse_wanted(wanted)) {
    const auto p = std::ranges::find(out, name, &ProblemParameter::name);
    if (p == out.end()) throw_says_nothing(fmt::format("{}={}", name, value));
    p->wanted = value;
  }
  return out;
}

std::vector<std::int64_t> parse_grid(const std::string& text, std::int64_t ranks) {
  std::vector<std::int64_t> out;
  std::int64_t product = 1;
  bool is_beyond = false;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    const bool goes_on = next != end && *next == 'x' && next + 1 != end;
    if (error != std::errc() || extent < 1 || (next != end && !goes_on)) {
      throw CommandError{
          fmt::format(
              "--grid {} is not a grid (numbers separated by x are expected); for example 4x8",
              text),
          2};
    }
    out.push_back(extent);
    is_beyond = is_beyond || __builtin_mul_overflow(product, extent, &product);
    at = goes_on ? next + 1 : end;
  }
  if (!out.empty() && (is_beyond || product != ranks)) {
    const std::string places = is_beyond ? "too many places" : fmt::format("{} places", product);
    throw CommandError{fmt::format("--grid {} has {} and not {} (one for each rank); give "
                                   "another, or other --ranks",
                                   text, places, ranks),
                       2};
  }
  std::ranges::reverse(out);
  return out;
}

std::vector<extrapolate::Pattern> read_patterns(const std::vector<std::string>& files) {
  std::vector<extrapolate::Pattern> out;
  for (const std::string& file : files) {
    const auto data = read_file(file, "", kMostPatterns);
    if (!data) throw CommandError{data.error().message + "; give a file of patterns", 2};
    const std::string_view text(reinterpret_cast<const char*>(data->data()), data->size());
    auto patterns = take(extrapolate::parse_patterns(text, file));
    std::ranges::move(patterns, std::back_inserter(out));
  }
  return out;
}

TimeModel time_model_of(const std::string& name) {
  if (name == "paper") return TimeModel::paper;
  return name == "none" ? TimeModel::none : TimeModel::curves;
}

void check_output(const std::string& path, bool force) {
  if (path.empty()) return;
  std::error_code error;
  if (std::filesystem::exists(path, error) && !force) {
    throw CommandError{fmt::format(
        "{} exists (existing files are not overwritten); add --force, or choose another -o", path)};
  }
  check_writable(path);
}

void add_law_options(CLI::App& sub, LawOptions& options) {
  sub.add_option("traces", options.inputs, "Traces of one program, on different numbers of ranks")
      ->required();
  sub.add_option("--param", options.parameters,
                 "A problem size that differs between traces, with its value in each trace in "
                 "their order, such as n=64,128,256");
  sub.add_option("--pattern", options.patterns,
                 "A file with known laws, such as dest of MPI_Send in main app.c:40 = "
                 "(rank + 1) % ranks (docs/patterns.md)");
  sub.add_flag("--approximate", options.approximate,
               "Sample trip counts that follow no law, such as those of iterative solvers, from a "
               "distribution, and replace sizes that follow none by their mean");
  sub.add_option("--time-model", options.time_model,
                 "How times are extrapolated: curves (default), paper (the four curves of "
                 "ScalaExtrap), none")
      ->check(CLI::IsMember({"curves", "paper", "none"}));
}

}  // namespace reprise::cli
