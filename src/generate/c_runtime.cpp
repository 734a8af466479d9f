#include "generate/c_runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <sstream>

#include "expr/print.hpp"
#include "generate/c_fragments.hpp"

namespace reprise::generate {
namespace {

using Names = std::set<std::string>;

std::array<std::span<const Fragment>, 8> all_fragments() {
  return {core_fragments(),    table_fragments(), rank_fragments(), buffer_fragments(),
          request_fragments(), other_fragments(), call_fragments(), ending_fragments()};
}

constexpr std::array kScaling = {"scaled", "sent", "received", "all_scaled"};

// Whether the program has counts but for 0 and 1, which --message-scale leaves alone.
bool has_counts(const std::string& program) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const auto has = [&](const std::string& function, bool but_few) {
    for (std::size_t at = 0; (at = program.find(function + "(", at)) != std::string::npos; ++at) {
      const std::string_view count = std::string_view(program).substr(at + function.size() + 1, 2);
      const bool is_few = count == "0," || count == "1,";
      if (!(at > 0 && is_word(program[at - 1])) && !(but_few && is_few)) return true;
    }
    return false;
  };
  const auto is_any = [&](const auto& functions, bool but_few) {
    return std::ranges::any_of(functions, [&](const char* f) { return has(f, but_few); });
  };
  return is_any(kScaling, false) ||
         is_any(std::array{"FROM_V", "INTO_V", "FROM_W", "INTO_W", "FROM_A", "INTO_A", "FROM_P",
                           "INTO_P", "BOTH_V"},
                false) ||
         is_any(std::array{"OUT", "IN", "FROM", "INTO", "BOTH", "FROM_ALL", "INTO_ALL", "BOTH_ALL",
                           "FROM_NEIGHBORS", "INTO_NEIGHBORS"},
                true);
}

// Adds what a fragment uses, and what that uses.
void want(const std::string& name, Names& wanted, bool scales) {
  if (!scales && std::ranges::find(kScaling, name) != kScaling.end()) return;
  if (!wanted.insert(name).second) return;
  for (const auto& group : all_fragments()) {
    for (const Fragment& f : group) {
      if (f.name != name) continue;
      for (const std::string_view other : f.uses) want(std::string(other), wanted, scales);
    }
  }
}

// Whether what stands between @ and the line is fulfilled: names with commas, with ! those that
// must not be.
bool holds(std::string_view condition, const Names& wanted) {
  while (!condition.empty()) {
    const std::size_t comma = std::min(condition.find(','), condition.size());
    const bool is_not = condition.front() == '!';
    if (wanted.contains(std::string(condition.substr(is_not, comma - is_not))) == is_not)
      return false;
    condition.remove_prefix(std::min(comma + 1, condition.size()));
  }
  return true;
}

std::string text_of(std::string_view fragment, const Names& wanted) {
  std::string out;
  std::istringstream lines{std::string(fragment)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('@')) {
      const std::size_t space = line.find(' ');
      if (!holds(std::string_view(line).substr(1, space - 1), wanted)) continue;
      line.erase(0, space + 1);
    }
    out += line + "\n";
  }
  return out;
}

// Those of the functions behind expressions that are called, in their order.
std::string expression_helpers(const std::string& program) {
  constexpr std::string_view kBegin = "static inline ";
  const std::string_view all = expr::c_helpers();
  std::string out;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(kBegin, at + 1), all.size());
    const std::string_view function = all.substr(at, end - at);
    const std::size_t name = function.find("reprise_");
    const std::string_view called = function.substr(name, function.find('(') - name + 1);
    if (program.find(called) != std::string::npos) out += function;
    at = end;
  }
  return out;
}

}  // namespace

Runtime::Runtime(const Names& needed, std::string program) : program_(std::move(program)) {
  Names asked = needed;
  asked.insert("core");
  for (const char* part : {"subarray", "resized"}) {
    if (!calls(fmt::format("MPI_Type_create_{}(", part))) continue;
    asked.insert(part);
    asked.insert("widest");
  }
  if (calls("total(")) asked.insert("total");
  // Where requests end in the order in which they were made, a stack of them does.
  if (asked.contains("requests")) {
    const bool by_age =
        std::ranges::any_of(std::array{"these", "earlier", "over_one", "persistent"},
                            [&](auto n) { return asked.contains(n); });
    if (by_age) {
      asked.insert("by_age");
    } else {
      asked.insert("in_order");
      if (asked.contains("youngest")) asked.insert("fresh");
      for (const char* n : {"request", "last", "over"}) asked.erase(n);
    }
  }
  const bool scales = has_counts(program_);
  for (const std::string& name : asked) want(name, needed_, scales);
}

std::string Runtime::settings(std::uint64_t ranks, std::size_t sites, std::size_t functions,
                              std::size_t draws) const {
  std::string out = "#define _POSIX_C_SOURCE 200809L\n";
  out += fmt::format(
      "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "#include <time.h>\n\n"
      "enum {{ RANKS = {}, SITES = {}, FUNCTIONS = {},{} CALLS = 0, BYTES, COMPUTING, IN_MPI "
      "}};\n"
      "static double done[4][SITES + 1]; /* calls, bytes and seconds by place; the last is before "
      "all "
      "calls */\n"
      "static double extra[SITES], mark, turns_per_ns{};\n"
      "static long long rank, ranks{};\n"
      "static int last_site = SITES, sleeps, reports, is_other{};\n",
      ranks, sites, functions, draws > 0 ? fmt::format(" DRAWS = {},", draws) : "",
      needs("message_scale") ? ", message_scale = 1" : "",
      needs("trips") ? ", iterations = -1" : "", needs("early") ? ", overlaps" : "");
  if (calls("WORLD")) out += "#define WORLD MPI_COMM_WORLD\n";
  if (calls("NO_STATUS")) out += "#define NO_STATUS MPI_STATUS_IGNORE\n";
  if (needs("NOBODY")) out += "#define NOBODY MPI_PROC_NULL\n";
  if (calls("SPECIAL(") || needs("meant"))
    out += "#define SPECIAL(k) (-(1LL << 30) - (k)) /* a constant of MPI */\n";
  return out;
}

std::string Runtime::helpers() const {
  std::string out;
  if (needs("expressions")) out += "\n" + expression_helpers(program_);
  for (const auto& group : all_fragments()) {
    // What belongs together stands together.
    bool is_first = true;
    for (const Fragment& f : group) {
      if (!needs(std::string(f.name))) continue;
      const std::string text = text_of(f.text, needed_);
      if (text.empty()) continue;
      out += is_first ? text : text.substr(1);
      is_first = false;
    }
  }
  return out;
}

}  // namespace reprise::generate
