#include "replay/check.hpp"

#include <algorithm>

#include "trace/executions.hpp"
#include "trace/series_search.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::replay {

using trace::Call;
using trace::Column;
using trace::Item;
using trace::Kind;
using trace::Trace;
using trace::Value;

namespace {

// Looked through for a pass that takes an item.
constexpr int kMaxPasses = 1 << 16;

// Whether the replay cannot know an object by this number. Requests below 0 are those of other
// threads.
bool is_unknown(Kind kind, std::int64_t number) {
  return number == trace::kForeign ||
         (kind == Kind::request && number < 0 && !trace::is_special(number));
}

// The same of one of the first n values.
bool mentions_unknown(Kind kind, const trace::Series& series, std::uint64_t n) {
  constexpr std::int64_t kFirstOrdinary = trace::kSpecialBase + trace::kSpecialCount;
  return trace::has_value_within(series, n, trace::kForeign, trace::kForeign) ||
         (kind == Kind::request && trace::has_value_within(series, n, kFirstOrdinary, -1));
}

// Whether a stream meets an unknown object. `values(s)`: how many values stream s has, which is
// asked for only where a series may have one at all.
template <class Values>
bool mentions_unknown(Kind kind, const Value& v, std::uint64_t streams, const Values& values) {
  constexpr std::uint64_t kEver = ~std::uint64_t{0};
  if (v.classes.empty()) {
    if (!mentions_unknown(kind, v.by_stream, streams)) return false;
  } else if (std::ranges::none_of(v.classes, [&](const trace::Series& s) {
               return mentions_unknown(kind, s, kEver);
             })) {
    return false;
  }
  for (std::uint64_t s = 0; s < streams; ++s) {
    const trace::Series* series = v.series_of(s);
    if (series ? mentions_unknown(kind, *series, values(s))
               : is_unknown(kind, v.constant_of(s)) && values(s) > 0)
      return true;
  }
  return false;
}

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

// `scalar_mentions(c)` and `list_mentions(l)`: whether there is an object that nobody knows.
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
  for (std::uint64_t rank = first; rank < end; ++rank) {
    bool ends = false;
    for (std::uint64_t s = rank * trace.threads; s < (rank + 1) * trace.threads && !ends; ++s) {
      ends = std::ranges::any_of(paths, [&](const std::vector<const Item*>& path) {
        return std::ranges::all_of(path, [&](const Item* i) { return is_taken(i->trips, s); });
      });
    }
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
  for (std::uint32_t number = 0; number < trace.calls.size(); ++number) {
    const Call& call = trace.calls[number];
    if (Status function = check_function(call.function, file, obstacle); !function) return function;
    const trace::Function& f = trace::function(call.function);
    const auto executions = [&](std::uint64_t s) { return trace::executions(trace, s)[number]; };
    const auto scalar_mentions = [&](std::size_t c) {
      return mentions_unknown(f.scalars[c].kind, call.columns[c], trace.streams(), executions);
    };
    const auto list_mentions = [&](std::size_t l) {
      const Value& lengths = call.columns[f.scalars.size() + 2 * l];
      const Value& elements = call.columns[f.scalars.size() + 2 * l + 1];
      return mentions_unknown(f.lists[l].kind, elements, trace.streams(), [&](std::uint64_t s) {
        return static_cast<std::uint64_t>(trace::sum_of(lengths, s, executions(s)));
      });
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
