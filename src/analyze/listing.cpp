#include "analyze/listing.hpp"

#include <fmt/format.h>

#include "analyze/executions.hpp"
#include "analyze/value_text.hpp"
#include "trace/predefined.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Column;
using trace::Item;
using trace::Kind;
using trace::Trace;
using trace::Value;

namespace {

bool says_nothing(const Column& column, const Value& v) {
  if (!v.is_constant()) return false;
  const std::int64_t n = v.by_stream.at(0);
  switch (column.kind) {
    case Kind::polls:
    case Kind::buffer: return n == 0 || n == trace::kNone;
    case Kind::comm: return n == trace::kWorld && column.name == "comm";
    default: return n == trace::kNone;
  }
}

// Taken once or not at all, which only the stream decides.
bool is_branch_by_rank(const Trace& trace, const Value& trips) {
  if (!trips.classes.empty() || trips.is_constant()) return false;
  trace::SeriesCursor c(trips.by_stream);
  std::uint64_t taken = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    const std::int64_t n = c.next();
    if (n != 0 && n != 1) return false;
    taken += n == 1;
  }
  return taken > 0;
}

bool is_complement(const Trace& trace, const Value& a, const Value& b) {
  trace::SeriesCursor in_a(a.by_stream), in_b(b.by_stream);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    if (in_a.next() + in_b.next() != 1) return false;
  }
  return true;
}

std::string ordinal(std::uint64_t n) {
  const char* end = n % 100 >= 11 && n % 100 <= 13 ? "th"
                    : n % 10 == 1                  ? "st"
                    : n % 10 == 2                  ? "nd"
                    : n % 10 == 3                  ? "rd"
                                                   : "th";
  return fmt::format("{}{}", n, end);
}

// "every 5th time" for 0 0 0 0 1 again and again; empty if that is not what it is.
std::string every_nth(const trace::Series& s) {
  if (s.terms().size() != 1) return {};
  const trace::Term& t = s.terms().front();
  if (t.is_run() || t.step != 0 || t.count != trace::kUnbounded || trace::sum_of(s, t.period) != 1)
    return {};
  return s.at(t.period - 1) == 1 ? fmt::format("every {} time", ordinal(t.period)) : std::string();
}

class Lister {
 public:
  explicit Lister(const Trace& trace) : trace_(trace), executions_(trace) {}

  std::vector<ListingLine> run() {
    item(trace_.root, condition(trace_.root), 0);
    return std::move(lines_);
  }

 private:
  void item(const Item& i, const std::string& condition, std::size_t depth) {
    if (i.is_call()) {
      const trace::Call& c = trace_.calls[i.call];
      lines_.push_back({depth, condition, call(i.call), c.callpath});
      return;
    }
    if (!condition.empty()) lines_.push_back({depth++, condition, {}, {}});
    body(i.body, depth);
  }

  void body(const std::vector<Item>& items, std::size_t depth) {
    const Value* before = nullptr;  // the condition that an `else` would be of
    for (std::size_t k = 0; k < items.size();) {
      const Value& trips = items[k].trips;
      if (!is_branch_by_rank(trace_, trips)) {
        before = nullptr;
        item(items[k], condition(items[k]), depth);
        ++k;
        continue;
      }
      const bool is_else = before && is_complement(trace_, *before, trips);
      const std::string text = is_else ? "else" : condition(items[k]);
      before = is_else ? nullptr : &trips;
      std::size_t end = k + 1;
      while (end < items.size() && items[end].trips == trips) ++end;
      if (end == k + 1) {
        item(items[k], text, depth);
      } else {
        lines_.push_back({depth, text, {}, {}});
        for (std::size_t j = k; j < end; ++j) item(items[j], {}, depth + 1);
      }
      k = end;
    }
  }

  std::string condition(const Item& i) {
    const Value& trips = i.trips;
    if (trips == Value::constant(1)) return {};
    if (is_branch_by_rank(trace_, trips)) {
      const std::vector<std::uint64_t> streams = streams_with(trace_, trips, 1);
      const bool one = trace_.threads == 1 && streams.size() == 1;
      return fmt::format("if rank {} {}", one ? "is" : "in", streams_text(trace_, streams));
    }
    if (trips.classes.size() == 1) {
      if (const std::string text = every_nth(trips.classes.front()); !text.empty()) return text;
    }
    const Bounds bounds = trip_bounds(trace_, i, executions_);
    const Times times{[&](std::uint64_t s) { return executions_.of(i, s); },
                      executions_.busiest(i)};
    const std::string text = value_text(trace_, trips, {}, times);
    return bounds.min >= 0 && bounds.max <= 1 ? "if " + text : text + " times";
  }

  std::string call(std::uint32_t index) {
    const trace::Call& c = trace_.calls[index];
    const trace::Function& f = trace::function(c.function);
    const Times times{[&](std::uint64_t s) { return executions_.of(index, s); },
                      executions_.busiest(index)};
    const std::int64_t size = size_of_world(c);
    std::string out;
    const auto put = [&out](std::string_view name, const std::string& text) {
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, text);
    };
    for (std::size_t i = 0; i < f.scalars.size(); ++i) {
      if (says_nothing(f.scalars[i], c.columns[i])) continue;
      put(f.scalars[i].name, value_text(trace_, c.columns[i], {f.scalars[i].kind, size}, times));
    }
    for (std::size_t i = 0; i < f.lists.size(); ++i) {
      const Value& length = c.columns[f.scalars.size() + 2 * i];
      const Value& elements = c.columns[f.scalars.size() + 2 * i + 1];
      if (length == Value::constant(0)) continue;
      put(f.lists[i].name, list_text(trace_, length, elements, {f.lists[i].kind, size}, times));
    }
    return fmt::format("{}({})", f.name, out);
  }

  // Of the communicator, if it is MPI_COMM_WORLD; else 0.
  std::int64_t size_of_world(const trace::Call& c) const {
    const trace::Function& f = trace::function(c.function);
    if (f.communicator < 0 || f.scalars[f.communicator].kind != Kind::comm) return 0;
    return c.columns[f.communicator] == Value::constant(trace::kWorld)
               ? static_cast<std::int64_t>(trace_.ranks)
               : 0;
  }

  const Trace& trace_;
  Executions executions_;
  std::vector<ListingLine> lines_;
};

}  // namespace

std::vector<ListingLine> list_program(const Trace& trace) { return Lister(trace).run(); }

}  // namespace reprise::analyze
