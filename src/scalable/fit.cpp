#include "scalable/fit.hpp"

#include <algorithm>
#include <set>

#include "expr/print.hpp"
#include "extrapolate/values/instantiate.hpp"
#include "trace/file/file.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Inferred;
using extrapolate::Parameter;
using extrapolate::ProblemParameter;
using extrapolate::Request;
using extrapolate::Scalable;
using program::Domain;
using program::NumberClass;
using program::Range;
using trace::Trace;

constexpr std::int64_t kMostRanks = std::int64_t{1} << 20;
constexpr std::int64_t kMostMade = 1 << 10;  // ranks of a trace that is made to be compared
constexpr std::size_t kNeeded = 3;           // numbers on which a class must hold
constexpr std::int64_t kMostSize = std::int64_t{1} << 40;

// Numbers of a class beyond the inputs: each some times the one before, or for powers of two the
// next, since there are few.
std::vector<std::int64_t> numbers_beyond(const NumberClass& numbers, std::int64_t largest) {
  const bool all = numbers.shape == NumberClass::Shape::power_of_two;
  std::vector<std::int64_t> out;
  std::optional<std::int64_t> n = numbers.next(largest + 1, kMostRanks);
  while (n) {
    out.push_back(*n);
    n = numbers.next(all ? 2 * *n : 8 * *n / 3 + 1, kMostRanks);
  }
  return out;
}

// The sizes on the k-th number of ranks: the largest of the inputs and larger ones by turns, so
// that they do not go with the ranks.
std::int64_t size_on(const Range& range, std::size_t k) {
  if (range.least == range.most || k % 2 == 0) return range.most;
  const std::int64_t factor = std::int64_t{2} << std::min<std::size_t>(k / 2, 20);
  return range.most < kMostSize / factor ? range.most * factor : range.most;
}

Range range_of(const ProblemParameter& parameter) {
  const auto [least, most] = std::ranges::minmax(parameter.values);
  return {program::classes_of(parameter.values).back(), least, most};
}

// What a law is, on whatever grids the others were found.
struct Meaning {
  std::string form, text;
  bool operator==(const Meaning&) const = default;
};

std::string describe_grid(const Scalable& program, const std::optional<std::size_t>& grid) {
  return grid ? program.grids.rules[*grid].describe() : "";
}

void collect_grids(const Scalable& program, const std::vector<extrapolate::TermLaw>& terms,
                   std::string& out) {
  for (const extrapolate::TermLaw& t : terms) {
    for (const auto* n : {&t.value, &t.step, &t.count})
      out += describe_grid(program, n->grid) + ";";
    collect_grids(program, t.body, out);
  }
}

Meaning meaning_of(const Scalable& program, const Parameter& p) {
  std::string grids = describe_grid(program, p.law.number.grid);
  collect_grids(program, p.law.terms, grids);
  return {std::to_string(static_cast<int>(p.law.form)) + "/" +
              std::to_string(static_cast<int>(p.law.encoding)) + "/" + grids,
          print(p.law)};
}

class Fitter {
 public:
  Fitter(std::span<const Trace> traces, std::span<const std::string> names, Request request)
      : traces_(traces), names_(names), request_(std::move(request)) {
    request_.grid.clear();
    for (const Trace& t : traces) ranks_.push_back(static_cast<std::int64_t>(t.ranks));
    for (const ProblemParameter& p : request_.parameters) sizes_.push_back(range_of(p));
  }

  Result<Fitted> run() {
    const std::vector<NumberClass> classes = program::classes_of(ranks_);
    // The narrowest class has laws if any has. Wider ones are of use only if their numbers have the
    // grids of these laws.
    std::optional<Scalable> narrow;
    const std::vector<std::int64_t> beyond = numbers_beyond(classes.back(), most_ranks());
    if (!beyond.empty()) {
      auto failed = holds_on(beyond.front(), 0, narrow);
      if (!failed) return failed.error();
      if (*failed) return std::move(**failed);
    }
    Fitted last;
    for (const NumberClass& numbers : classes) {
      const bool is_narrowest = numbers == classes.back();
      if (narrow && !is_narrowest && !has_grids(*narrow, numbers)) continue;
      auto fitted = attempt(numbers);
      if (!fitted || fitted->trace) return fitted;
      last = std::move(*fitted);
    }
    return last;
  }

 private:
  std::int64_t most_ranks() const { return *std::ranges::max_element(ranks_); }

  // Whether the first numbers of a class beyond the inputs have the grids of the laws.
  bool has_grids(const Scalable& program, const NumberClass& numbers) const {
    std::vector<std::int64_t> beyond = numbers_beyond(numbers, most_ranks());
    beyond.resize(std::min(beyond.size(), kNeeded));
    std::set<std::size_t> grids;
    for (const Parameter& p : program.parameters) {
      if (p.law.number.grid) grids.insert(*p.law.number.grid);
      extrapolate::for_each_number(p.law.terms, [&](const extrapolate::NumberLaw& n) {
        if (n.grid) grids.insert(*n.grid);
      });
    }
    return std::ranges::all_of(grids, [&](std::size_t grid) {
      return std::ranges::all_of(
          beyond, [&](std::int64_t n) { return program.grids.rules[grid].extents(n).has_value(); });
    });
  }

  Result<Fitted> attempt(const NumberClass& numbers) {
    const auto [least, most] = std::ranges::minmax(ranks_);
    std::optional<Scalable> found;
    Domain domain{{numbers, least, most}, sizes_};
    const std::vector<std::int64_t> beyond = numbers_beyond(numbers, most);
    for (std::size_t k = 0; k < beyond.size(); ++k) {
      auto failed = holds_on(beyond[k], k, found);
      if (!failed) return failed.error();
      if (*failed) {
        if (k < std::min(kNeeded, beyond.size())) return std::move(**failed);
        break;
      }
      domain.ranks.most = beyond[k];
      for (std::size_t p = 0; p < sizes_.size(); ++p) {
        domain.parameters[p].most = std::max(domain.parameters[p].most, size_on(sizes_[p], k));
      }
    }
    if (!found)
      return Fitted{.ranks = most, .differs = "there is no larger number of ranks to try"};
    Fitted out;
    out.trace = make_scalable(std::move(*found), traces_, request_.parameters, std::move(domain));
    return out;
  }

  // Nothing if the laws that were found for fewer ranks are those for so many; `found` is set by
  // the first.
  Result<std::optional<Fitted>> holds_on(std::int64_t ranks, std::size_t k,
                                         std::optional<Scalable>& found) {
    Request request = request_;
    request.ranks = ranks;
    for (std::size_t p = 0; p < sizes_.size(); ++p) {
      request.parameters[p].wanted = size_on(sizes_[p], k);
    }
    auto inferred = extrapolate::infer_program(traces_, names_, request);
    if (!inferred) return inferred.error();
    if (!inferred->refused.empty()) {
      return std::optional(Fitted{.ranks = ranks, .refused = std::move(inferred->refused)});
    }
    Scalable& program = inferred->program;
    if (auto parted = parts(program, ranks)) return parted;
    if (found) found->problem = program.problem;
    if (ranks <= kMostMade) {
      auto made = extrapolate::instantiate(program, traces_, request);
      if (!made) return std::optional(Fitted{.ranks = ranks, .differs = made.error().message});
      auto contradictions = extrapolate::verify(*made, traces_).contradictions;
      if (!contradictions.empty()) {
        return std::optional(Fitted{.ranks = ranks, .contradictions = std::move(contradictions)});
      }
      if (found && !gives(*found, request, *made))
        return std::optional(differs(*found, program, ranks));
    } else if (found && !same_laws(*found, program)) {
      return std::optional(differs(*found, program, ranks));
    }
    if (!found) found = std::move(program);
    return std::optional<Fitted>();
  }

  // Where another law rounds that fits as well, no law holds for sure.
  std::optional<Fitted> parts(const Scalable& program, std::int64_t ranks) const {
    for (const Parameter& p : program.parameters) {
      std::optional<Fitted> out;
      const auto look_at = [&](const extrapolate::NumberLaw& law) {
        if (!law.rounded || out) return;
        const auto name = name_of(p.slot, program.tree, program.sites, traces_);
        out = Fitted{.ranks = ranks,
                     .differs = "the " + name.text() + " is '" + expr::print(law.expression) +
                                "' or '" + expr::print(*law.rounded) + "', which differ there"};
      };
      look_at(p.law.number);
      extrapolate::for_each_number(p.law.terms, look_at);
      if (out) return out;
    }
    return std::nullopt;
  }

  // Whether laws that were found for other numbers bring the same trace.
  bool gives(const Scalable& found, const Request& request, const Trace& made) const {
    const auto again = extrapolate::instantiate(found, traces_, request);
    return again && trace::encode_body(*again) == trace::encode_body(made);
  }

  static bool same_laws(const Scalable& a, const Scalable& b) {
    return std::ranges::equal(a.parameters, b.parameters, [&](const auto& p, const auto& q) {
      return meaning_of(a, p) == meaning_of(b, q);
    });
  }

  Fitted differs(const Scalable& a, const Scalable& b, std::int64_t ranks) const {
    Fitted out{.ranks = ranks};
    for (std::size_t i = 0; i < std::min(a.parameters.size(), b.parameters.size()); ++i) {
      const Meaning here = meaning_of(a, a.parameters[i]), there = meaning_of(b, b.parameters[i]);
      if (here == there) continue;
      const auto name = name_of(a.parameters[i].slot, a.tree, a.sites, traces_);
      out.differs = "the " + name.text() + " is '" + here.text + "' on fewer ranks and '" +
                    there.text + "' on so many";
      return out;
    }
    out.differs = "the laws found for fewer ranks are others";
    return out;
  }

  std::span<const Trace> traces_;
  std::span<const std::string> names_;
  Request request_;
  std::vector<std::int64_t> ranks_;
  std::vector<Range> sizes_;  // by declared parameter
};

}  // namespace

Result<Fitted> fit(std::span<const Trace> traces, std::span<const std::string> names,
                   Request request) {
  return Fitter(traces, names, std::move(request)).run();
}

}  // namespace reprise::scalable
