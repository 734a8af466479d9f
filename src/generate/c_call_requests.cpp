#include "generate/c_call_requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reprise::generate {

using K = ArgumentKind;

namespace {

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
  if (!(d.columns.function().traits & trace::traits::kPoll)) return pointer;
  const std::string variable = fmt::format("named_{}", d.site);
  d.put_before(fmt::format("MPI_Request *{} = {};", variable, pointer));
  return variable;
}

// Which of those named has ended in the trace; negative: none.
Reading chosen() {
  return {"int", [](std::int64_t v) { return trace::is_special(v) ? "-1" : number_text(v); }};
}

}  // namespace

ListText requests_text(Draft& d, const Argument& a) {
  d.tools.source.need("requests");
  const ListColumn list = d.columns.list(a);
  if (Lists::counts_down(list, d.point)) {
    d.tools.source.need("last");
    const std::string n = d.variable(a, d.tools.lists.length(list, d.point, d.columns.name(a)));
    return {{}, n, named_once(d, fmt::format("last({})", n))};
  }
  const auto one = d.tools.lists.only_list(list, d.point);
  if (one && std::ranges::any_of(*one, [](std::int64_t v) { return v < 0 && v != trace::kNull; }))
    refuse_request();
  d.tools.source.need("these");
  const Reading ages{"int",
                     [](std::int64_t v) { return v == trace::kNull ? "-1" : number_text(v); }};
  ListText text = d.tools.lists.write(list, d.point, ages, d.columns.name(a));
  d.put_before(text.before);
  text.length = d.variable(a, text.length);
  text.array = named_once(d, fmt::format("these({}, {})", text.length, text.array));
  return text;
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
  d.tools.source.need("these");
  return fmt::format("these(1, (int[]){{{}}})", text);
}

std::string new_request_text(Draft& d) {
  d.tools.source.need("requests");
  const bool is_kept = d.columns.function().traits & trace::traits::kPersistent;
  const std::string how = is_kept ? "kept_request" : "request";
  d.tools.source.need(how);
  return how + "()";
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
  if (c.has(K::freerequest)) {
    d.tools.source.need("freed");
    d.out.after.push_back("freed();");
    return;
  }
  if (!c.has(K::waitrequest) && !c.has(K::waitrequests)) return;
  if (!c.has(K::indices) && !c.has(K::index)) {
    d.tools.source.need("over");
    d.out.after.push_back("over();");
    return;
  }
  for (const Argument& a : c.arguments()) {
    if (a.kind == K::waitrequests && c.has(K::indices)) {
      const std::string named = requests_text(d, a).array;
      const bool is_named = c.function().traits & trace::traits::kPoll;
      d.out.call =
          fmt::format("if (ahead > 0) ahead--{}; else {{ {} ahead = found > 0 ? found - 1 : 0; }}",
                      is_named ? "" : ", " + named, d.out.call);
    }
    if (a.kind == K::index || a.kind == K::indices) add_over(d, c.number(a, chosen()));
  }
}

}  // namespace reprise::generate
