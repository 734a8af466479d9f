#include "cli/extrapolate/extrapolate_report.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/text.hpp"
#include "extrapolate/values/mean_sizes.hpp"

namespace reprise::cli {

using extrapolate::Contradiction;
using extrapolate::Law;
using extrapolate::Parameter;
using extrapolate::Refusal;
using extrapolate::Scalable;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t kShown = 12;  // refusals, in text

std::string_view word_for(solve::Standing standing) {
  switch (standing) {
    case solve::Standing::confirmed: return "confirmed";
    case solve::Standing::explains: return "explains all";
    case solve::Standing::approximate: return "approximate";
  }
  return "";
}

std::string_view word_for(trace::Encoding encoding) {
  switch (encoding) {
    case trace::Encoding::absolute: return "";
    case trace::Encoding::relative: return "rank + ";
    case trace::Encoding::exclusive_or: return "rank ^ ";
  }
  return "";
}

// As a reader has it: a relative rank is added to the caller's.
std::string law_text(const Law& law) { return std::string(word_for(law.encoding)) + print(law); }

std::string_view form_of(const Law& law) {
  switch (law.form) {
    case Law::Form::series: return law.series.is_constant() ? "constant" : "series";
    case Law::Form::terms: return "law";
    case Law::Form::indexed: return "law over loop indices";
    case Law::Form::distribution: return "distribution";
    case Law::Form::none: return "not carried over";
    case Law::Form::placed: return "by color and key";
  }
  return "";
}

std::string_view standing_text(const Law& law) {
  return law.form == Law::Form::distribution ? "approximate" : word_for(standing_of(law));
}

// Whether an approximate parameter is itself a mean: displacements follow from the means of counts.
bool is_own_mean(const extrapolate::Slot& slot, std::span<const extrapolate::Site> sites) {
  return extrapolate::is_size(trace::function(sites[slot.site].function), slot.column);
}

}  // namespace

std::vector<std::string> approximations(const Scalable& program,
                                        std::span<const trace::Trace> traces) {
  std::vector<std::string> out;
  for (const Parameter& p : program.parameters) {
    const bool is_drawn = p.law.form == Law::Form::distribution;
    if (!is_drawn && standing_of(p.law) != solve::Standing::approximate) continue;
    const std::string why = is_drawn                             ? "drawn from a distribution"
                            : is_own_mean(p.slot, program.sites) ? "the mean of all calls"
                                                                 : "by the means of other sizes";
    out.push_back(name_of(p.slot, program.tree, program.sites, traces).text() + " (" + why + ")");
  }
  return out;
}

std::string grids_text(const extrapolate::Grids& grids, std::int64_t ranks) {
  std::string out;
  for (const infer::GridRule& rule : grids.rules) {
    out += fmt::format("{}: {}", out.empty() ? "grids tried" : "           ", rule.describe());
    const auto extents = ranks > 0 ? rule.extents(ranks) : std::nullopt;
    if (extents) {
      out += fmt::format(", {} on {} ranks", fmt::join(extents->rbegin(), extents->rend(), "x"),
                         ranks);
    }
    out += "\n";
  }
  return out;
}

namespace {

// Equal refusals once: of call sites that only their call paths distinguish.
struct Counted {
  const Refusal* refusal;
  std::size_t count = 1;
};

std::vector<Counted> without_repeats(const std::vector<Refusal>& refused) {
  std::vector<Counted> out;
  for (const Refusal& r : refused) {
    const auto same = std::ranges::find_if(out, [&](const Counted& c) {
      return c.refusal->slot.text() == r.slot.text() && c.refusal->why == r.why &&
             c.refusal->samples == r.samples;
    });
    if (same == out.end()) {
      out.push_back({&r});
    } else {
      ++same->count;
    }
  }
  return out;
}

}  // namespace

std::string laws_text(const Scalable& program, std::span<const trace::Trace> traces) {
  const std::string out = grids_text(program.grids, 0);
  Table table({"function", "place", "parameter", "standing", "law"}, 5);
  std::uint64_t constants = 0;
  for (const Parameter& p : program.parameters) {
    if (form_of(p.law) == "constant") {
      ++constants;
      continue;
    }
    const auto name = name_of(p.slot, program.tree, program.sites, traces);
    table.add({name.function, name.place, name.parameter, std::string(standing_text(p.law)),
               law_text(p.law)});
  }
  return out + table.text() + counted(constants, "parameter") + " more that never change\n";
}

ordered_json laws_json(const Scalable& program, std::span<const trace::Trace> traces) {
  ordered_json grids = ordered_json::array(), laws = ordered_json::array();
  for (const infer::GridRule& rule : program.grids.rules) grids.push_back(rule.describe());
  for (const Parameter& p : program.parameters) {
    const auto name = name_of(p.slot, program.tree, program.sites, traces);
    laws.push_back({{"function", name.function},
                    {"place", name.place},
                    {"parameter", name.parameter},
                    {"form", form_of(p.law)},
                    {"law", law_text(p.law)},
                    {"standing", standing_text(p.law)}});
  }
  return {{"inputs", program.ranks}, {"grids", grids}, {"laws", laws}};
}

std::string numbers_advice(std::vector<std::uint64_t> ranks) {
  struct Class {
    std::string_view name;
    std::uint64_t (*at)(std::uint64_t k);  // ascends
  };
  static constexpr Class kClasses[] = {
      {"powers of four", [](std::uint64_t k) { return std::uint64_t{1} << 2 * k; }},
      {"powers of two", [](std::uint64_t k) { return std::uint64_t{1} << k; }},
      {"squares", [](std::uint64_t k) { return k * k; }},
      {"cubes", [](std::uint64_t k) { return k * k * k; }}};
  const auto is_of = [](const Class& c, std::uint64_t n) {
    std::uint64_t k = 0;
    while (c.at(k) < n) ++k;
    return c.at(k) == n;
  };
  std::ranges::sort(ranks);
  const bool are_few = ranks.size() < 3;
  const auto found = std::ranges::find_if(kClasses, [&](const Class& c) {
    return std::ranges::all_of(ranks, [&](std::uint64_t n) { return is_of(c, n); });
  });
  if (found == std::end(kClasses)) {
    return are_few ? "two traces are too few for most laws: add one or two on other numbers of "
                     "ranks, as 4, 6, 9 and 12 for a grid"
                   : "add traces on other numbers of ranks, of other shapes";
  }
  std::vector<std::uint64_t> others;
  for (std::uint64_t k = 0; others.size() < 2; ++k) {
    const std::uint64_t n = found->at(k);
    if (n > ranks.front() && !std::ranges::binary_search(ranks, n)) others.push_back(n);
  }
  return fmt::format(
      "{} on other {}, as {} and {}, and on other numbers if the program runs on them",
      are_few ? "two traces are too few for most laws: add some" : "add traces", found->name,
      others[0], others[1]);
}

std::string refusals_text(const std::vector<Refusal>& refused,
                          std::span<const trace::Trace> inputs) {
  std::string out =
      fmt::format("no trace was made ({} without a law)", counted(refused.size(), "parameter"));
  const std::vector<Counted> different = without_repeats(refused);
  for (std::size_t i = 0; i < different.size() && i < kShown; ++i) {
    const Refusal& r = *different[i].refusal;
    out += fmt::format("\n  {}: {}", r.slot.text(), r.why);
    if (different[i].count > 1) out += fmt::format(" (on {} call paths)", different[i].count);
    for (const std::string& s : r.samples) out += "\n    " + s;
  }
  if (different.size() > kShown) {
    out += fmt::format("\n  and {} more, which `reprise extrapolate --json` lists",
                       different.size() - kShown);
  }
  std::vector<std::uint64_t> ranks;
  for (const trace::Trace& t : inputs) ranks.push_back(t.ranks);
  out += "\n" + numbers_advice(std::move(ranks));
  if (refused.empty()) return out;
  const Refusal& first = refused.front();
  return out + fmt::format(
                   "; or, if you know the laws, give them with --pattern FILE "
                   "(docs/patterns.md), with a line for each, such as\n  {} = {}",
                   first.slot.text(), first.laws.empty() ? "..." : first.laws.front());
}

ordered_json refusals_json(const std::vector<Refusal>& refused) {
  ordered_json out = ordered_json::array();
  for (const Refusal& r : refused) {
    out.push_back({{"function", r.slot.function},
                   {"place", r.slot.place},
                   {"parameter", r.slot.parameter},
                   {"why", r.why},
                   {"samples", r.samples},
                   {"laws", r.laws}});
  }
  return out;
}

std::string contradictions_text(const std::vector<Contradiction>& contradictions) {
  std::string out = fmt::format(
      "no trace was made (the laws that were found contradict each other on so many ranks, in {})",
      counted(contradictions.size(), "place"));
  for (std::size_t i = 0; i < contradictions.size() && i < kShown; ++i) {
    const Contradiction& c = contradictions[i];
    out += fmt::format("\n  {}", c.what);
    if (c.more > 0) out += fmt::format(", and {} more like this", count_text(c.more));
    for (const std::string& site : c.sites) out += "\n    " + site;
  }
  if (contradictions.size() > kShown) {
    out += fmt::format("\n  and {} more, which `reprise extrapolate --json` lists",
                       contradictions.size() - kShown);
  }
  return out +
         "\n--report prints the laws; add traces on other numbers of ranks, closer to the target "
         "or of other shapes";
}

ordered_json contradictions_json(const std::vector<Contradiction>& contradictions) {
  ordered_json out = ordered_json::array();
  for (const Contradiction& c : contradictions) {
    out.push_back({{"what", c.what}, {"more", c.more}, {"sites", c.sites}});
  }
  return out;
}

std::string check_text(const std::vector<SiteCheck>& sites, std::uint64_t ranks, bool same_order) {
  Table table({"function", "place", "calls", "wrong", "parameters"}, 2);
  std::uint64_t calls = 0, wrong = 0;
  for (const SiteCheck& s : sites) {
    calls += s.recorded;
    wrong += s.wrong;
    table.add({s.function, s.place, count_text(s.recorded), count_text(s.wrong),
               s.exact() ? "exact" : fmt::format("{}", fmt::join(s.parameters, ", "))});
  }
  std::string verdict =
      fmt::format("{} of {} on {} are predicted exactly", count_text(calls - wrong),
                  counted(calls, "call"), counted(ranks, "rank"));
  if (wrong == 0) verdict += same_order ? ", in their order" : ", but not in their order";
  return table.text() + verdict + "\n";
}

ordered_json check_json(const std::vector<SiteCheck>& sites, std::uint64_t ranks, bool same_order) {
  ordered_json list = ordered_json::array();
  bool exact = true;
  for (const SiteCheck& s : sites) {
    exact = exact && s.exact();
    list.push_back({{"function", s.function},
                    {"place", s.place},
                    {"predicted", s.predicted},
                    {"recorded", s.recorded},
                    {"wrong", s.wrong},
                    {"parameters", s.parameters}});
  }
  return {{"ranks", ranks}, {"exact", exact && same_order}, {"sites", list}};
}

}  // namespace reprise::cli
