#include "generate/c_call_requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reprise::generate {

using K = ArgumentKind;

namespace {

constexpr std::uint64_t kMaxLooked = 1 << 22;  // elements of lists

[[noreturn]] void refuse_request() {
  throw Unwritable{
      "it completes requests that another thread made, or that nothing in the trace made"};
}

void add_over(Draft& d, const std::string& which) {
  d.tools.source.need("over_one");
  d.out.after.push_back("over_one(" + which + ");");
}

// A call that is repeated names its requests once: some MPIs take out what has ended before all
// have.
std::string named_once(Draft& d, const std::string& pointer) {
  const bool is_repeated = d.columns.function().traits & trace::traits::kPoll;
  if (!is_repeated && !d.columns.has(K::indices)) return pointer;
  const std::string variable = fmt::format("named_{}", d.site);
  d.put_before(fmt::format("MPI_Request *{} = {};", variable, pointer));
  return variable;
}

bool is_null(std::int64_t age) { return age == trace::kNull; }

// One of these ages is over, and what was older is younger.
void end(std::vector<std::int64_t>& ages, std::size_t which) {
  const std::int64_t age = ages[which];
  for (std::int64_t& a : ages) {
    if (a == age) a = trace::kNull;
    if (a > age) --a;
  }
}

// Where the first pass of the loop around names the youngest requests but for so many, and each
// later one what the pass before left over.
struct Chain {
  std::vector<std::int64_t> skipped;  // by stream: how many
  bool ends_all =
      true;  // the last pass leaves none over, so that it matters to nobody which ends first
};

std::optional<Chain> left_behind(const Draft& d, const ListColumn& list) {
  const auto chosen = std::ranges::find_if(d.columns.arguments(), [](const Argument& a) {
    return a.kind == K::index || a.kind == K::indices;
  });
  if (!d.point.is_alone || chosen == d.columns.arguments().end() || chosen->is_list)
    return std::nullopt;
  std::uint64_t looked = 0;
  Chain out;
  for (const std::uint64_t s : d.point.streams) {
    trace::ValueCursor trips(*d.point.trips, s), lengths(list.length, s), ages(list.elements, s),
        ended(d.columns.scalar(*chosen), s);
    std::int64_t left = 0;  // passes
    std::optional<std::int64_t> youngest;
    std::vector<std::int64_t> expected;
    for (std::uint64_t k = 0; k < d.point.times(s); ++k, --left) {
      const std::int64_t n = lengths.next();
      const bool is_first = left <= 0;
      for (std::uint64_t i = 0; left <= 0; ++i) {
        if (i > kMaxLooked) return std::nullopt;
        left = trips.next();
      }
      std::vector<std::int64_t> named;
      for (std::int64_t i = 0; i < n && ++looked < kMaxLooked; ++i) named.push_back(ages.next());
      if (is_first && n > 0) {
        if (named.empty() || named.back() < 0 || youngest.value_or(named.back()) != named.back())
          return std::nullopt;
        youngest = named.back();
        expected.clear();
        for (std::int64_t i = n; i-- > 0;) expected.push_back(*youngest + i);
      }
      if (looked >= kMaxLooked || named != expected) return std::nullopt;
      const std::int64_t which = ended.next();
      if (which >= n && !trace::is_special(which)) return std::nullopt;
      if (which >= 0 && !trace::is_special(which)) end(expected, static_cast<std::size_t>(which));
      if (left == 1) out.ends_all &= std::ranges::all_of(expected, is_null);
    }
    out.skipped.push_back(youngest.value_or(0));
  }
  return out;
}

// n pending requests, the youngest of each stream but for so many.
std::string youngest(Draft& d, const Argument& a, const std::string& n,
                     const std::vector<std::int64_t>& skipped) {
  const bool are_last = std::ranges::all_of(skipped, [](std::int64_t m) { return m == 0; });
  d.tools.source.need(are_last ? "last" : "earlier");
  if (are_last) return fmt::format("last({})", n);
  return fmt::format(
      "earlier({}, {})", n,
      d.tools.values.by_stream(d.point.streams, skipped, {}, d.columns.name(a) + "_LATER"));
}

// Whether each execution names as many of the youngest requests, each once, and all of them end.
bool are_reordered(const Draft& d, const ListColumn& list) {
  const bool ends_some = d.columns.has(K::index) || d.columns.has(K::indices) ||
                         d.columns.has(K::flag) || d.columns.has(K::startrequests);
  if (ends_some) return false;
  std::uint64_t looked = 0;
  for (const std::uint64_t s : d.point.streams) {
    trace::ValueCursor lengths(list.length, s), ages(list.elements, s);
    for (std::uint64_t k = 0; k < d.point.times(s); ++k) {
      const std::int64_t n = lengths.next();
      if (n < 0 || static_cast<std::uint64_t>(n) > kMaxLooked) return false;
      std::vector<bool> named(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < named.size(); ++i) {
        const std::int64_t age = ages.next();
        const bool is_new = age >= 0 && age < n && !named[static_cast<std::size_t>(age)];
        if (!is_new || ++looked > kMaxLooked) return false;
        named[static_cast<std::size_t>(age)] = true;
      }
    }
  }
  return true;
}

// Which of those named has ended in the trace; negative: none.
Reading chosen() {
  return {"int", [](std::int64_t v) { return trace::is_special(v) ? "-1" : number_text(v); }};
}

ListText write_requests(Draft& d, const Argument& a) {
  d.tools.source.need("requests");
  const ListColumn list = d.columns.list(a);
  const auto in_order = Lists::counts_down(list, d.point);
  const auto left = in_order ? std::nullopt : left_behind(d, list);
  const trace::Value& length = list.length;
  if (in_order && !length.is_constant() && d.tools.pending.are_all_named(d.columns.call())) {
    d.tools.source.need("last");
    return {{}, "held", named_once(d, "last(held)")};
  }
  if (in_order || left) {
    const std::string n = d.variable(a, d.tools.lists.length(list, d.point, d.columns.name(a)));
    const std::string all = youngest(d, a, n, in_order ? *in_order : left->skipped);
    d.ends_all = left && left->ends_all;
    return {
        {},
        n,
        named_once(d, in_order ? all : fmt::format("{} == 0 ? {} : given", d.point.index, all))};
  }
  const auto one = d.tools.lists.only_list(list, d.point);
  if (one && std::ranges::any_of(*one, [](std::int64_t v) { return v < 0 && v != trace::kNull; }))
    refuse_request();
  const char* how = are_reordered(d, list) ? "youngest" : "these";
  d.tools.source.need(how);
  const Reading ages{"int",
                     [](std::int64_t v) { return v == trace::kNull ? "-1" : number_text(v); }};
  ListText text = d.tools.lists.write(list, d.point, ages, d.columns.name(a));
  d.put_before(text.before);
  text.length = d.variable(a, text.length);
  text.array = named_once(d, fmt::format("{}({}, {})", how, text.length, text.array));
  return text;
}

}  // namespace

ListText requests_text(Draft& d, const Argument& a) {
  if (!d.requests) d.requests = write_requests(d, a);
  return *d.requests;
}

std::string request_text(Draft& d, const Argument& a) {
  d.tools.source.need("requests");
  const Reading age{"int", [](std::int64_t v) {
                      if (v < 0 && v != trace::kNull) refuse_request();
                      return v == trace::kNull ? "-1" : number_text(v);
                    }};
  const std::string text = d.columns.number(a, age);
  if (text == "0") {
    d.tools.source.need("last");
    return "last(1)";
  }
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    d.tools.source.need("earlier");
    return fmt::format("earlier(1, {})", text);
  }
  d.tools.source.need("these");
  return fmt::format("these(1, (int[]){{{}}})", text);
}

std::string new_request_text(Draft& d) {
  d.tools.source.need("requests");
  d.tools.source.need("request");
  if (d.columns.function().traits & trace::traits::kPersistent) d.tools.source.need("persistent");
  return "request()";
}

void end_requests(Draft& d, const std::string& call) {
  const Columns& c = d.columns;
  d.out.call = call + ";";
  if (c.has(K::flag)) {
    d.out.call = fmt::format("do {} while (!flag);", d.out.call);
  } else if (c.function().traits & trace::traits::kPoll) {
    d.out.call = fmt::format("do {} while (found == 0);", d.out.call);
  }
  if (c.has(K::newmessage)) d.out.after.push_back("keep_probed();");
  if (!c.has(K::waitrequest) && !c.has(K::waitrequests) && !c.has(K::freerequest)) return;
  if (!c.has(K::indices) && !c.has(K::index)) {
    d.tools.source.need("over");
    d.out.after.push_back("over();");
    return;
  }
  for (const Argument& a : c.arguments()) {
    if (a.kind == K::waitrequests && c.has(K::indices)) {
      requests_text(d, a);
      d.tools.source.need("found");
      d.out.call = fmt::format("if (is_next()) {{ {} }}", d.out.call);
    }
    if (a.kind != K::index && a.kind != K::indices) continue;
    const bool is_one = a.kind == K::index;
    if (!d.ends_all) d.tools.source.need("as_told");
    if (d.ends_all && !is_one) d.tools.source.need("found_one");
    add_over(d, !d.ends_all ? c.number(a, chosen()) : is_one ? "number" : "found_one()");
  }
}

}  // namespace reprise::generate
