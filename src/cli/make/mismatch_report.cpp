#include "cli/make/mismatch_report.hpp"

#include <fmt/core.h>

#include <optional>

#include "trace/calls/places.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;
using transform::Mismatch;

std::string mismatch_text(const Trace& trace, const Mismatch& m) {
  const std::string a = trace::describe_call(trace, m.call_a);
  const std::string number = fmt::format("collective {} of their communicator", m.position);
  switch (m.kind) {
    case Mismatch::Kind::function:
      return fmt::format("rank {} calls {}, and rank {} calls {} (both as {}, counted from 0)",
                         m.rank_a, a, m.rank_b, trace::describe_call(trace, *m.call_b), number);
    case Mismatch::Kind::root:
      return fmt::format(
          "rank {} calls {} with the root {}, and rank {} calls {} with the root {} (both as {}, "
          "counted from 0)",
          m.rank_a, a, m.root_a, m.rank_b, trace::describe_call(trace, *m.call_b), m.root_b,
          number);
    case Mismatch::Kind::missing: break;
  }
  const std::string who =
      m.rank_b < trace.ranks ? fmt::format("rank {}", m.rank_b) : std::string("another member");
  return fmt::format(
      "rank {} calls {}, and {} has no further collective there (it is {}, counted "
      "from 0)",
      m.rank_a, a, who, number);
}

ordered_json mismatch_json(const Trace& trace, const Mismatch& m) {
  static constexpr const char* kinds[] = {"function", "root", "missing"};
  ordered_json out{{"kind", kinds[static_cast<int>(m.kind)]}, {"position", m.position}};
  const auto place = [&](std::uint64_t rank, std::optional<std::uint32_t> call, std::int64_t root) {
    ordered_json p{{"rank", nullptr}, {"call", nullptr}, {"place", nullptr}};
    if (rank < trace.ranks) p["rank"] = rank;
    if (call) {
      p["call"] = trace::function(trace.calls[*call].function).name;
      p["place"] = trace::describe_place(trace, trace.calls[*call].callpath);
    }
    if (m.kind == Mismatch::Kind::root) p["root"] = root;
    return p;
  };
  out["a"] = place(m.rank_a, m.call_a, m.root_a);
  out["b"] = place(m.rank_b, m.call_b, m.root_b);
  return out;
}

}  // namespace reprise::cli
