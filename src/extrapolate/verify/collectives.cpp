#include "extrapolate/verify/collectives.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/hash.hpp"
#include "mpi/collectives.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Function;
using trace::Kind;
namespace traits = trace::traits;

constexpr std::size_t kMostPairs = 32;  // of members that are told apart in words
constexpr std::uint64_t kMostSums = std::uint64_t{1} << 25;

// What all members have in common in one call.
struct Joint {
  trace::FunctionId function{};
  std::int64_t comm = 0;
  std::int64_t root = trace::kNone;
  std::int64_t op = trace::kNone;     // predefined ones; others have no number in common
  std::int64_t bytes = trace::kNone;  // where all move as many

  auto operator<=>(const Joint&) const = default;

  std::uint64_t hash() const {
    std::uint64_t h = static_cast<std::uint64_t>(function);
    for (const std::int64_t v : {comm, root, op, bytes}) {
      h = combine(h, static_cast<std::uint64_t>(v));
    }
    return h;
  }
};

// The columns of a call that say so.
struct Columns {
  bool is_joint = false;  // such a call at all
  std::optional<std::size_t> comm, root, op, count, type;
};

Columns columns_of(const Function& f) {
  Columns out;
  const bool is_of_world = (f.traits & (traits::kInit | traits::kFinalize)) != 0;
  const bool has_comm =
      f.communicator >= 0 && f.scalars[static_cast<std::size_t>(f.communicator)].kind == Kind::comm;
  out.is_joint =
      (f.traits & traits::kCollective) && !(f.traits & traits::kLocal) && (is_of_world || has_comm);
  if (!out.is_joint || is_of_world) return out;
  out.comm = static_cast<std::size_t>(f.communicator);
  out.root = mpi::root_column(f);
  std::size_t counts = 0;
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    const trace::Column& column = f.scalars[c];
    if (column.kind == Kind::op) out.op = c;
    if (column.kind == Kind::datatype && !out.type) out.type = c;
    if (column.kind == Kind::count) out.count = c, ++counts;
  }
  const bool is_listed = std::ranges::any_of(
      f.payloads, [](const trace::Payload& p) { return p.blocks == trace::Blocks::listed; });
  if (counts != 1 || is_listed || f.payloads.empty()) out.count.reset();
  return out;
}

class CollectiveCheck {
 public:
  CollectiveCheck(const trace::Trace& trace, const Communicators& communicators,
                  const mpi::TypeSizes& types, Budget& budget, Findings& findings)
      : trace_(trace),
        communicators_(communicators),
        budget_(budget),
        findings_(findings),
        types_(types) {
    for (const trace::Call& call : trace.calls) {
      const Columns columns = columns_of(trace::function(call.function));
      asked_.push_back(asked_for(columns, trace::function(call.function)));
      columns_.push_back(columns);
    }
  }

  void run() {
    sum_up();
    if (budget_.left == 0) {
      findings_.leave_out("collective calls (too many of them differ)");
      return;
    }
    compare(trace::kWorld);
    for (const auto& made : communicators_.places().made()) compare(made.first);
    explain();
  }

 private:
  // Of the world's own there is one that every call has.
  static std::vector<std::size_t> asked_for(const Columns& columns, const Function& f) {
    if (!columns.is_joint) return {};
    if (!columns.comm && f.scalars.empty()) return {};
    std::vector<std::size_t> out;
    for (const auto& c : {columns.comm, columns.root, columns.op, columns.count, columns.type}) {
      if (c) out.push_back(*c);
    }
    if (out.empty()) out.push_back(0);
    return out;
  }

  // Nothing on a communicator that is not known.
  std::optional<Joint> joint_of(const Visit& v) {
    const Columns& columns = columns_[v.call];
    const trace::Call& call = trace_.calls[v.call];
    std::size_t at = 0;
    const auto take = [&](const std::optional<std::size_t>& column) -> std::optional<std::int64_t> {
      return column ? std::optional(v.values[at++]) : std::nullopt;
    };
    Joint out{.function = call.function, .comm = trace::kWorld};
    if (!columns.comm) return out;
    out.comm = *take(columns.comm);
    const auto place = communicators_.find(out.comm, v.rank);
    if (!place || place->part == Place::kUnknown) return std::nullopt;
    if (const auto root = take(columns.root)) {
      out.root = trace::decode_rank(call.columns[*columns.root].encoding, *root,
                                    {place->rank, place->size});
      check_root(v, out.root, place->size);
    }
    if (const auto op = take(columns.op); op && *op < trace::kFirstMadeOp) out.op = *op;
    const auto count = take(columns.count), type = take(columns.type);
    if (count && *count < 0 && !trace::is_special(*count)) {
      findings_.contradict(Rule::sizes, v.call, {call.function, v.rank, "count", *count}, "");
    }
    if (count && type && *count >= 0)
      out.bytes = types_.of(*count, mpi::TypeId{*type}).value_or(trace::kNone);
    return out;
  }

  void check_root(const Visit& v, std::int64_t root, std::int64_t size) {
    if (root >= 0 && root < size) return;
    findings_.contradict(Rule::ranks, v.call, {trace_.calls[v.call].function, v.rank, "root", root},
                         " in a communicator of " + std::to_string(size));
  }

  void sum_up() {
    const bool whole = visit_calls(trace_, asked_, budget_, [&](const Visit& v) {
      const auto joint = joint_of(v);
      if (!joint || joint->comm == trace::kSelf) return;
      auto& sums = sums_[joint->comm];
      if (sums.empty()) {
        if (sums_.size() * trace_.ranks > kMostSums) {
          budget_.left = 0;
          return;
        }
        sums.resize(trace_.ranks);
      }
      sums[static_cast<std::size_t>(v.rank)] += joint->hash() * v.times;
    });
    if (!whole) budget_.left = 0;
  }

  // Members of a part with the first of them.
  void compare(std::int64_t comm) {
    const auto found = sums_.find(comm);
    if (found == sums_.end()) return;
    std::map<std::uint32_t, std::size_t> first;  // by part
    for (std::size_t r = 0; r < trace_.ranks; ++r) {
      const auto place = communicators_.find(comm, static_cast<std::int64_t>(r));
      if (!place || place->part == Place::kUnknown) continue;
      const auto [entry, is_new] = first.emplace(place->part, r);
      if (is_new || found->second[entry->second] == found->second[r]) continue;
      if (pairs_.size() < kMostPairs) pairs_.push_back({comm, entry->second, r});
    }
  }

  // In what the members of each pair differ.
  void explain() {
    if (pairs_.empty()) return;
    struct Made {
      std::uint64_t times = 0;
      Findings::Calls calls;
    };
    std::map<std::size_t, std::map<Joint, Made>> by_rank;
    for (const Pair& p : pairs_) by_rank[p.one], by_rank[p.other];
    const auto note = [&](const Visit& v) {
      const auto rank = by_rank.find(static_cast<std::size_t>(v.rank));
      if (rank == by_rank.end()) return;
      const auto joint = joint_of(v);
      if (!joint) return;
      Made& made = rank->second[*joint];
      made.times += v.times;
      made.calls.insert(v.call);
    };
    visit_calls(trace_, asked_, budget_, note);
    for (const Pair& p : pairs_) {
      auto &one = by_rank[p.one], &other = by_rank[p.other];
      std::map<Joint, std::array<Made, 2>> both;
      for (const auto& [joint, made] : one) both[joint][0] = made;
      for (const auto& [joint, made] : other) both[joint][1] = made;
      for (const auto& [joint, made] : both) {
        if (joint.comm != p.comm || made[0].times == made[1].times) continue;
        Findings::Calls calls = made[0].calls;
        calls.insert(made[1].calls.begin(), made[1].calls.end());
        findings_.contradict(Rule::collectives, calls,
                             "rank " + std::to_string(p.one) + " calls " + describe(joint) + " " +
                                 times_text(made[0].times) + " and rank " +
                                 std::to_string(p.other) + ", of the same communicator, " +
                                 times_text(made[1].times));
      }
    }
  }

  static std::string times_text(std::uint64_t n) {
    return std::to_string(n) + (n == 1 ? " time" : " times");
  }

  static std::string describe(const Joint& joint) {
    std::string out(trace::function(joint.function).name);
    std::string with;
    const auto add = [&](const std::string& what) { with += (with.empty() ? "" : ", ") + what; };
    if (!trace::is_special(joint.root)) add("root " + std::to_string(joint.root));
    if (!trace::is_special(joint.op)) add(trace::op_name(joint.op));
    if (!trace::is_special(joint.bytes)) add(std::to_string(joint.bytes) + " bytes");
    return with.empty() ? out : out + " (" + with + ")";
  }

  struct Pair {
    std::int64_t comm;
    std::size_t one, other;
  };

  const trace::Trace& trace_;
  const Communicators& communicators_;
  Budget& budget_;
  Findings& findings_;
  const mpi::TypeSizes& types_;
  std::vector<Columns> columns_;  // by call
  AskedColumns asked_;
  std::map<std::int64_t, std::vector<std::uint64_t>> sums_;  // by communicator and rank
  std::vector<Pair> pairs_;
};

}  // namespace

void check_collectives(const trace::Trace& trace, const Communicators& communicators,
                       const mpi::TypeSizes& types, Budget& budget, Findings& findings) {
  CollectiveCheck(trace, communicators, types, budget, findings).run();
}

}  // namespace reprise::extrapolate
