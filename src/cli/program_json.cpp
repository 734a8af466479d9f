#include "cli/program_json.hpp"

#include <algorithm>

#include "analyze/describe.hpp"
#include "analyze/executions.hpp"
#include "analyze/series_text.hpp"
#include "trace/places.hpp"
#include "trace/predefined.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using trace::Encoding;
using trace::Kind;
using trace::Term;
using trace::Trace;
using trace::Value;

// Special values, datatypes and operations by name, other numbers as numbers.
ordered_json number_json(Kind kind, std::int64_t v) {
  if (trace::is_special(v) || kind == Kind::datatype || kind == Kind::op)
    return analyze::describe_number(kind, v);
  return v;
}

ordered_json series_json(Kind kind, const std::vector<Term>& terms) {
  ordered_json out = ordered_json::array();
  for (const Term& t : terms) {
    const ordered_json count =
        t.count == trace::kUnbounded ? ordered_json(nullptr) : ordered_json(t.count);
    if (!t.is_run()) {
      out.push_back({{"repeat", series_json(kind, t.body)}, {"count", count}, {"step", t.step}});
    } else if (t.count == 1) {
      out.push_back(number_json(kind, t.value));
    } else {
      out.push_back({{"value", number_json(kind, t.value)}, {"count", count}, {"step", t.step}});
    }
  }
  return out;
}

ordered_json value_json(Kind kind, const Value& v) {
  ordered_json out;
  const bool absolute = v.encoding == Encoding::absolute;
  if (v.is_constant()) {
    if (absolute) return number_json(kind, v.by_stream.at(0));
    out["value"] = number_json(kind, v.by_stream.at(0));
  } else if (v.classes.empty()) {
    out["by_stream"] = series_json(kind, v.by_stream.terms());
  } else if (v.classes.size() == 1) {
    out["series"] = series_json(kind, v.classes.front().terms());
  } else {
    out["cases"] = ordered_json::array();
    for (const trace::Series& s : v.classes) out["cases"].push_back(series_json(kind, s.terms()));
    out["case_by_stream"] = series_json(Kind::integer, v.by_stream.terms());
  }
  if (!absolute) out["encoding"] = v.encoding == Encoding::relative ? "relative" : "xor";
  return out;
}

ordered_json frame_json(const Trace& t, const trace::Places& places, std::uint32_t frame) {
  const trace::Frame& f = t.frames[frame];
  ordered_json out{{"function", t.texts[f.function]}};
  if (const std::string name = places.function(frame);
      f.function != 0 && name != t.texts[f.function])
    out["name"] = name;
  if (f.line != 0) {
    out["file"] = t.texts[f.file];
    out["line"] = f.line;
  } else if (f.module < t.modules.size()) {
    out["module"] = t.modules[f.module].path;
    out["offset"] = f.offset;
  }
  if (places.is_wrapper(frame)) out["wrapper"] = true;
  return out;
}

ordered_json call_json(const trace::Call& c) {
  const trace::Function& f = trace::function(c.function);
  ordered_json parameters = ordered_json::object();
  for (std::size_t i = 0; i < f.scalars.size(); ++i) {
    parameters[std::string(f.scalars[i].name)] = value_json(f.scalars[i].kind, c.columns[i]);
  }
  for (std::size_t i = 0; i < f.lists.size(); ++i) {
    const std::size_t at = f.scalars.size() + 2 * i;
    parameters[std::string(f.lists[i].name)] = {
        {"length", value_json(Kind::integer, c.columns[at])},
        {"elements", value_json(f.lists[i].kind, c.columns[at + 1])}};
  }
  return {{"function", f.name}, {"callpath", c.callpath}, {"parameters", std::move(parameters)}};
}

class Tree {
 public:
  // The trace's rank 0 is called `first_rank`.
  Tree(const Trace& trace, std::uint64_t first_rank)
      : trace_(trace), first_rank_(first_rank), executions_(trace) {}

  ordered_json of(const trace::Item& item) {
    ordered_json out{{"times", value_json(Kind::integer, item.trips)}, {"ranks", ranks(item)}};
    if (item.is_call()) {
      out["call"] = call_json(trace_.calls[item.call]);
    } else {
      out["body"] = ordered_json::array();
      for (const trace::Item& b : item.body) out["body"].push_back(of(b));
    }
    return out;
  }

 private:
  // Those that ever execute the item, in order.
  ordered_json ranks(const trace::Item& item) {
    std::vector<std::uint64_t> ranks = executions_.entering(item);
    for (std::uint64_t& r : ranks) r = r / trace_.threads + first_rank_;
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    trace::SeriesFolder folder;
    for (const std::uint64_t r : ranks) folder.append(static_cast<std::int64_t>(r));
    if (ranks.empty()) return ordered_json::array();
    return series_json(Kind::integer, analyze::first_terms(folder.finish(), ranks.size()));
  }

  const Trace& trace_;
  std::uint64_t first_rank_;
  analyze::Executions executions_;
};

}  // namespace

ordered_json header_json(const Trace& t) {
  const trace::Places places(t);
  ordered_json callpaths = ordered_json::array();
  for (const auto& path : t.callpaths) {
    ordered_json frames = ordered_json::array();
    for (auto f = path.rbegin(); f != path.rend(); ++f) frames.push_back(frame_json(t, places, *f));
    callpaths.push_back(std::move(frames));
  }
  return {{"program", t.program},
          {"mpi", t.mpi},
          {"ranks", t.ranks},
          {"threads", t.threads},
          {"callpaths", std::move(callpaths)}};
}

ordered_json tree_json(const Trace& t, std::uint64_t first_rank) {
  return Tree(t, first_rank).of(t.root);
}

ordered_json event_json(const Trace& t, const trace::Event& event) {
  const trace::Function& f = *event.function;
  ordered_json parameters = ordered_json::object();
  for (std::size_t i = 0; i < f.scalars.size(); ++i)
    parameters[std::string(f.scalars[i].name)] = number_json(f.scalars[i].kind, event.scalars[i]);
  for (std::size_t i = 0; i < f.lists.size(); ++i) {
    ordered_json& list = parameters[std::string(f.lists[i].name)] = ordered_json::array();
    for (const std::int64_t v : event.lists[i]) list.push_back(number_json(f.lists[i].kind, v));
  }
  return {{"function", f.name},
          {"callpath", t.calls[event.call].callpath},
          {"parameters", std::move(parameters)}};
}

}  // namespace reprise::cli
