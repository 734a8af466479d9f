#include "replay/check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/cursors/executions.hpp"
#include "trace/series/series_search.hpp"
#include "trace/series/series_sum.hpp"
#include "trace/values/first_values.hpp"
#include "trace/values/special.hpp"
#include "trace/values/stream_classes.hpp"

namespace reprise::replay {

using trace::Call;
using trace::Column;
using trace::Item;
using trace::Kind;
using trace::Trace;
using trace::Value;

namespace {

// Limit of the passes that are searched for one that executes an item.
constexpr int kMaxPasses = 1 << 16;

// Whether the replay cannot know an object by this number. Requests below 0 are those of other
// threads.
bool is_unknown(Kind kind, std::int64_t number) {
  return number == trace::kForeign ||
         (kind == Kind::request && number < 0 && !trace::is_special(number));
}

// The same for the first n values of a series.
bool mentions_unknown(Kind kind, const trace::Series& series, std::uint64_t n) {
  constexpr std::int64_t kFirstOrdinary = trace::kSpecialBase + trace::kSpecialCount;
  return trace::has_value_within(series, n, trace::kForeign, trace::kForeign) ||
         (kind == Kind::request && trace::has_value_within(series, n, kFirstOrdinary, -1));
}

// The executions of calls by streams, counted once for all streams with the same trip counts, and
// only when asked for.
class Executions {
 public:
  explicit Executions(const Trace& trace) : trace_(trace) {}

  std::uint32_t class_of(std::uint64_t stream) { return classes().class_of()[stream]; }

  std::uint64_t of(std::uint32_t call, std::uint64_t stream) {
    std::vector<std::uint64_t>& counts = counted_.try_emplace(class_of(stream)).first->second;
    if (counts.empty()) counts = trace::executions(trace_, stream);
    return counts[call];
  }

 private:
  const trace::StreamClasses& classes() {
    if (!classes_) refine(trace_.root, classes_.emplace(trace_.streams()));
    return *classes_;
  }

  static void refine(const Item& item, trace::StreamClasses& out) {
    out.refine(item.trips);
    for (const Item& b : item.body) refine(b, out);
  }

  const Trace& trace_;
  std::optional<trace::StreamClasses> classes_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> counted_;  // by class
};

// Whether a stream names an unknown object. `values(s)`: the number of values of stream s; called
// in the order of streams, and only for those whose series may contain such an object. Cost:
// O(streams + terms), and that of the calls.
template <class Values>
bool mentions_unknown(Kind kind, const Value& v, std::uint64_t streams, const Values& values) {
  constexpr std::uint64_t kEver = ~std::uint64_t{0};
  std::vector<char> may_have;  // by class
  for (const trace::Series& s : v.classes) may_have.push_back(mentions_unknown(kind, s, kEver));
  const bool may_be = v.classes.empty() ? mentions_unknown(kind, v.by_stream, streams)
                                        : std::ranges::count(may_have, 1) > 0;
  if (!may_be) return false;
  std::vector<std::uint64_t> most(v.classes.size(), 0);  // values of any stream
  trace::FirstValues numbers(v);
  for (std::uint64_t s = 0; s < streams; ++s) {
    const std::int64_t number = numbers.number_at(s);
    if (v.classes.empty()) {
      if (is_unknown(kind, number) && values(s) > 0) return true;
      continue;
    }
    const auto k = static_cast<std::size_t>(number);
    if (may_have[k]) most[k] = std::max(most[k], values(s));
  }
  for (std::size_t k = 0; k < most.size(); ++k) {
    if (most[k] > 0 && mentions_unknown(kind, v.classes[k], most[k])) return true;
  }
  return false;
}

// The total number of elements in the lists of a call on a stream, from their lengths.
class ListElements {
 public:
  ListElements(const Value& lengths, std::uint32_t call, Executions& executions)
      : lengths_(lengths), numbers_(lengths), call_(call), executions_(executions) {}

  // REQUIRES: no later stream was asked for.
  std::uint64_t of(std::uint64_t stream) {
    const std::int64_t number = numbers_.number_at(stream);
    const std::uint64_t n = executions_.of(call_, stream);
    if (lengths_.classes.empty()) return static_cast<std::uint64_t>(trace::wrapping_mul(number, n));
    const auto [sum, is_new] = sums_.try_emplace({executions_.class_of(stream), number});
    if (is_new) {
      sum->second = static_cast<std::uint64_t>(
          trace::sum_of(lengths_.classes[static_cast<std::size_t>(number)], n));
    }
    return sum->second;
  }

 private:
  const Value& lengths_;
  trace::FirstValues numbers_;
  std::uint32_t call_;
  Executions& executions_;
  // By class of streams, and of lengths.
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint64_t> sums_;
};

const char* class_name(Kind kind) {
  switch (kind) {
    case Kind::comm: return "a communicator";
    case Kind::group: return "a group";
    case Kind::datatype: return "a datatype";
    case Kind::op: return "an operation";
    case Kind::window: return "a window";
    case Kind::file: return "a file";
    case Kind::session: return "a session";
    default: return "a request";
  }
}

bool is_object(Kind kind) {
  return (kind >= Kind::comm && kind <= Kind::session) || kind == Kind::request;
}

Status check_function(trace::FunctionId function, const std::string& file,
                      const Obstacle& obstacle) {
  const std::string why = obstacle(function);
  if (why.empty()) return {};
  return Error{file + " cannot be replayed here (it calls " +
               std::string(trace::function(function).name) + ": " + why +
               "); `reprise show` says where"};
}

// `scalar_mentions(c)` and `list_mentions(l)`: whether the column names an unknown object.
template <class Scalar, class List>
Status check_objects(const trace::Function& f, const std::string& file,
                     const Scalar& scalar_mentions, const List& list_mentions) {
  const auto complain = [&](Kind kind) {
    return Error{file + " cannot be replayed (" + std::string(f.name) + " uses " +
                 class_name(kind) +
                 " that was made by another thread, by a function that is not recorded, or while "
                 "recording was paused); record all of it"};
  };
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (is_object(f.scalars[c].kind) && scalar_mentions(c)) return complain(f.scalars[c].kind);
  }
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (is_object(f.lists[l].kind) && list_mentions(l)) return complain(f.lists[l].kind);
  }
  return {};
}

// The items around a call, outermost first, and its own.
bool find_path(const Item& item, std::uint32_t call, std::vector<const Item*>& path) {
  path.push_back(&item);
  if (item.call == call) return true;
  for (const Item& child : item.body) {
    if (find_path(child, call, path)) return true;
  }
  path.pop_back();
  return false;
}

bool is_taken(const Value& trips, std::uint64_t stream) {
  trace::ValueCursor cursor(trips, stream);
  for (int k = 0; k < kMaxPasses; ++k) {
    if (cursor.next() > 0) return true;
    if (cursor.is_constant()) return false;
  }
  return false;
}

Status check_ends(const Trace& trace, const std::string& file, std::uint64_t first,
                  std::uint64_t end) {
  std::vector<std::vector<const Item*>> paths;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    if (trace::ends_mpi(trace::function(trace.calls[c].function)))
      find_path(trace.root, c, paths.emplace_back());
  }
  trace::StreamClasses classes(trace.streams());
  for (const std::vector<const Item*>& path : paths) {
    for (const Item* i : path) classes.refine(i->trips);
  }
  std::vector<char> ends_mpi;  // by class
  for (const std::uint64_t s : classes.representatives()) {
    ends_mpi.push_back(std::ranges::any_of(paths, [&](const std::vector<const Item*>& path) {
      return std::ranges::all_of(path, [&](const Item* i) { return is_taken(i->trips, s); });
    }));
  }
  for (std::uint64_t rank = first; rank < end; ++rank) {
    bool ends = false;
    for (std::uint64_t s = rank * trace.threads; s < (rank + 1) * trace.threads && !ends; ++s)
      ends = ends_mpi[classes.class_of()[s]];
    if (!ends) return no_finalize_error(file, rank);
  }
  return {};
}

}  // namespace

Error no_finalize_error(const std::string& file, std::uint64_t rank) {
  return {file + " cannot be replayed (rank " + std::to_string(rank) +
          " never came to MPI_Finalize, and others would wait for it); record a run that ends by "
          "itself"};
}

Status check(const Trace& trace, const std::string& file, const Obstacle& obstacle,
             std::uint64_t first, std::uint64_t end) {
  Executions executions(trace);
  for (std::uint32_t number = 0; number < trace.calls.size(); ++number) {
    const Call& call = trace.calls[number];
    if (Status function = check_function(call.function, file, obstacle); !function) return function;
    const trace::Function& f = trace::function(call.function);
    const auto scalar_mentions = [&](std::size_t c) {
      return mentions_unknown(f.scalars[c].kind, call.columns[c], trace.streams(),
                              [&](std::uint64_t s) { return executions.of(number, s); });
    };
    const auto list_mentions = [&](std::size_t l) {
      const std::size_t c = f.scalars.size() + 2 * l;
      ListElements elements(call.columns[c], number, executions);
      return mentions_unknown(f.lists[l].kind, call.columns[c + 1], trace.streams(),
                              [&](std::uint64_t s) { return elements.of(s); });
    };
    Status objects = check_objects(f, file, scalar_mentions, list_mentions);
    if (!objects) return objects;
  }
  return check_ends(trace, file, first, end);
}

Status check_event(const trace::Event& event, const std::string& place, const Obstacle& obstacle) {
  Status function = check_function(trace::function_of(event), place, obstacle);
  if (!function) return function;
  return check_objects(
      *event.function, place,
      [&](std::size_t c) { return is_unknown(event.function->scalars[c].kind, event.scalars[c]); },
      [&](std::size_t l) {
        return std::ranges::any_of(event.lists[l], [&](std::int64_t number) {
          return is_unknown(event.function->lists[l].kind, number);
        });
      });
}

}  // namespace reprise::replay
