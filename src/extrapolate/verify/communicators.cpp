#include "extrapolate/verify/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "mpi/arguments.hpp"
#include "mpi/communicators/communicators.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

using trace::Event;
using trace::Function;
using trace::Kind;
using List = std::vector<std::int64_t>;

namespace {

constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 25;
constexpr std::int64_t kMostMembers = std::int64_t{1} << 31;

// How the members of one part are found.
enum class Way : std::uint8_t {
  whole,       // all that get one share it
  color,       // those with the same color
  coordinate,  // those with the same coordinates in the dimensions that are dropped
  size,        // where there can be only one of that size
  none         // not at all
};

struct Making {
  std::uint32_t call = 0;
  Way way = Way::none;
  std::int64_t parent = 0;
  bool one_parent = true;
  std::vector<std::int64_t> colors, keys;  // [ranks] for Way::color
  mpi::Grid grid;                          // that it gets
  List remain;
  bool is_duplicate = false;
};

std::optional<std::size_t> column_of(const Function& f, Kind kind) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == kind) return c;
  }
  return std::nullopt;
}

std::optional<std::size_t> scalar_named(const Function& f, std::string_view name) {
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].name == name) return c;
  }
  return std::nullopt;
}

Way way_of(const Function& f) {
  using namespace trace::traits;
  if ((f.traits & (kInter | kIntra | kLocal)) || f.communicator < 0) return Way::none;
  if (column_of(f, Kind::color)) return Way::color;
  for (const trace::Column& list : f.lists) {
    if (list.name == "remain_dims") return Way::coordinate;
  }
  const bool chosen = column_of(f, Kind::group) || scalar_named(f, "split_type");
  return chosen || !(f.traits & kCollective) ? Way::size : Way::whole;
}

std::string members_text(std::int64_t n) {
  return std::to_string(n) + (n == 1 ? " member" : " members");
}

}  // namespace

// Reads the calls that make communicators, and then sorts their members into parts, parents before
// their children.
class CommunicatorReader {
 public:
  CommunicatorReader(const trace::Trace& trace, Communicators& out, Budget& budget,
                     Findings& findings)
      : trace_(trace), out_(out), budget_(budget), findings_(findings) {}

  void run() {
    std::vector<std::uint32_t> makers;
    for (std::uint32_t c = 0; c < trace_.calls.size(); ++c) {
      const Function& f = trace::function(trace_.calls[c].function);
      if ((f.traits & trace::traits::kCreate) && trace::made_column(f, Kind::comm)) {
        makers.push_back(c);
      }
    }
    if (makers.empty()) return;
    visit_counts(trace_, [&](std::int64_t rank, const std::vector<std::uint64_t>& times) {
      for (const std::uint32_t c : makers) {
        if (times[c] > 0) read(c, rank, times[c]);
      }
    });
    for (const auto& [id, making] : makings_) settle(id, making);
  }

 private:
  void read(std::uint32_t c, std::int64_t rank, std::uint64_t times) {
    trace::CallCursor cursor(trace_.calls[c], static_cast<std::uint64_t>(rank));
    Event event;
    for (std::uint64_t k = 0; k < times; ++k) {
      if (!budget_.take(1) || !cursor.next(event)) return incomplete();
      const std::size_t made = *trace::made_column(*event.function, Kind::comm);
      const std::int64_t id = event.scalars[made];
      check_color(c, rank, event, id);
      if (!trace::is_special(id)) note(c, rank, event, made);
    }
  }

  void incomplete() {
    findings_.leave_out("what happens on some communicators (too many are made)");
  }

  // MPI_UNDEFINED gets none, and any other color gets one.
  void check_color(std::uint32_t c, std::int64_t rank, const Event& event, std::int64_t id) {
    const auto color = column_of(*event.function, Kind::color);
    if (!color || (event.scalars[*color] == trace::kUndefined) == trace::is_special(id)) return;
    findings_.contradict(Rule::communicators, {c},
                         "rank " + std::to_string(rank) +
                             (trace::is_special(id) ? " has a color and gets no communicator"
                                                    : " has the color MPI_UNDEFINED and gets a "
                                                      "communicator"));
  }

  void note(std::uint32_t c, std::int64_t rank, const Event& event, std::size_t made) {
    const std::int64_t id = event.scalars[made];
    const std::int64_t own = event.scalars[made + 1], size = event.scalars[made + 2];
    const auto ranks = static_cast<std::size_t>(trace_.ranks);
    const auto [entry, is_new] = makings_.try_emplace(id);
    Making& m = entry->second;
    if (is_new) {
      if ((makings_.size() + 1) * ranks > kMostPlaces) {
        makings_.erase(entry);
        return incomplete();
      }
      m.call = c;
      m.way = way_of(*event.function);
      m.parent = parent_of(event);
      if (m.way == Way::color) m.colors.resize(ranks), m.keys.resize(ranks);
      if (mpi::list_named(event, "dims")) m.grid = mpi::made_on({}, event, {own, size}).grid;
      if (const List* remain = mpi::list_named(event, "remain_dims")) m.remain = *remain;
      m.is_duplicate = mpi::makes_duplicate(*event.function);
      out_.places_.of(id);
    }
    if (m.way == Way::none) return;
    m.one_parent = m.one_parent && m.parent == parent_of(event) && way_of(*event.function) == m.way;
    const auto r = static_cast<std::size_t>(rank);
    if (own < 0 || own >= size || size >= kMostMembers) {
      findings_.contradict(Rule::communicators, {c},
                           "rank " + std::to_string(rank) + " is rank " + std::to_string(own) +
                               " of a communicator of " + members_text(size));
      return;
    }
    out_.places_.of(id)[r] = {static_cast<std::int32_t>(own), static_cast<std::int32_t>(size)};
    if (m.way != Way::color) return;
    m.colors[r] = event.scalars[*column_of(*event.function, Kind::color)];
    if (const auto key = scalar_named(*event.function, "key")) m.keys[r] = event.scalars[*key];
  }

  static std::int64_t parent_of(const Event& event) {
    const int c = event.function->communicator;
    return c < 0 ? trace::kNone : event.scalars[static_cast<std::size_t>(c)];
  }

  // Members that belong together as far as is known: [parts] of ranks.
  using Bucket = std::vector<std::int64_t>;

  void settle(std::int64_t id, const Making& m) {
    if (m.way == Way::none || !m.one_parent) return left_out(m);
    if (!m.grid.empty()) grids_[id] = m.grid;
    if (m.is_duplicate) inherit_grid(id, m);
    if (m.way == Way::coordinate && !grids_.contains(m.parent)) return left_out(m);
    std::map<std::pair<std::uint32_t, std::int64_t>, Bucket> buckets;
    std::vector<Place>& places = out_.places_.of(id);
    for (std::size_t r = 0; r < places.size(); ++r) {
      if (places[r].rank < 0) continue;
      const auto parent = out_.find(m.parent, static_cast<std::int64_t>(r));
      if (!parent || parent->part == Place::kUnknown) return left_out(m);
      buckets[{parent->part, token(m, r, *parent, places[r])}].push_back(
          static_cast<std::int64_t>(r));
    }
    if (m.way == Way::coordinate) grids_[id] = mpi::sub_grid(grids_.at(m.parent), m.remain);
    for (const auto& [which, members] : buckets) check(m, members, places);
  }

  void left_out(const Making& m) {
    findings_.leave_out("what happens on communicators of " +
                        std::string(trace::function(trace_.calls[m.call].function).name) +
                        " (their members are not known)");
  }

  void inherit_grid(std::int64_t id, const Making& m) {
    if (const auto grid = grids_.find(m.parent); grid != grids_.end()) grids_[id] = grid->second;
  }

  // What tells the parts of one parent apart.
  std::int64_t token(const Making& m, std::size_t r, const Place& parent,
                     const Place& place) const {
    if (m.way == Way::color) return m.colors[r];
    if (m.way == Way::size) return place.size;
    if (m.way == Way::whole) return 0;
    return mpi::dropped_coordinates(grids_.at(m.parent), m.remain, parent.rank);
  }

  void contradict(const Making& m, const std::string& what) {
    findings_.contradict(Rule::communicators, {m.call}, what);
  }

  void check(const Making& m, const Bucket& members, std::vector<Place>& places) {
    const std::int64_t size = places[static_cast<std::size_t>(members.front())].size;
    const auto count = std::ssize(members);
    const std::string where = "the communicator of rank " + std::to_string(members.front());
    if (m.way == Way::size && count != size) {
      // Several of one size: each has a member for each rank.
      if (count % size != 0) {
        contradict(m, where + " has the size " + std::to_string(size) + ", and " +
                          std::to_string(count) + " ranks have one of this size");
      } else if (!ranks_are_complete(members, places, size, count / size)) {
        contradict(m, where + " has not one member for each of its ranks");
      } else {
        left_out(m);
      }
      return;
    }
    for (const std::int64_t r : members) {
      const Place& p = places[static_cast<std::size_t>(r)];
      if (p.size == count) continue;
      contradict(m, "the communicator of rank " + std::to_string(r) + " has the size " +
                        std::to_string(p.size) + ", and " + members_text(count));
      return;
    }
    if (!ranks_are_complete(members, places, size, 1)) {
      contradict(m, where + " has not one member for each of its ranks");
      return;
    }
    if (m.way == Way::color && !is_in_order(m, members, places)) {
      contradict(m, "the ranks in " + where + " do not follow the keys");
    }
    const std::uint32_t part = out_.places_.new_part();
    for (const std::int64_t r : members) places[static_cast<std::size_t>(r)].part = part;
  }

  static bool ranks_are_complete(const Bucket& members, const std::vector<Place>& places,
                                 std::int64_t size, std::int64_t each) {
    std::vector<std::int64_t> seen(static_cast<std::size_t>(size));
    for (const std::int64_t r : members) {
      ++seen[static_cast<std::size_t>(places[static_cast<std::size_t>(r)].rank)];
    }
    return std::ranges::all_of(seen, [&](std::int64_t n) { return n == each; });
  }

  // By key, and where keys are the same by rank in the parent (MPI 3.1, section 6.4.2).
  bool is_in_order(const Making& m, const Bucket& members, const std::vector<Place>& places) const {
    using Order = std::tuple<std::int64_t, std::int32_t, std::int32_t>;
    std::vector<Order> order;
    for (const std::int64_t r : members) {
      const auto i = static_cast<std::size_t>(r);
      order.emplace_back(m.keys[i], out_.find(m.parent, r)->rank, places[i].rank);
    }
    std::ranges::sort(order);
    return std::ranges::is_sorted(order, {}, [](const Order& o) { return std::get<2>(o); });
  }

  const trace::Trace& trace_;
  Communicators& out_;
  Budget& budget_;
  Findings& findings_;
  std::map<std::int64_t, Making> makings_;   // by number: parents before their children
  std::map<std::int64_t, mpi::Grid> grids_;  // of those that have one
};

Communicators::Communicators(const trace::Trace& trace, Budget& budget, Findings& findings)
    : places_(static_cast<std::int64_t>(trace.ranks)) {
  CommunicatorReader(trace, *this, budget, findings).run();
}

}  // namespace reprise::extrapolate
