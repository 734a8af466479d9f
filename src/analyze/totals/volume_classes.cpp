#include "analyze/totals/volume_classes.hpp"

#include <algorithm>
#include <span>

#include "analyze/totals/executions.hpp"
#include "mpi/communicators/topology.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Call;
using trace::Column;
using trace::Function;
using trace::Kind;
using trace::Payload;
using trace::Trace;
using trace::Value;

namespace {

const Value& length_of(const Call& call, std::size_t list) {
  return call.columns[trace::function(call.function).scalars.size() + 2 * list];
}
const Value& elements_of(const Call& call, std::size_t list) {
  return call.columns[trace::function(call.function).scalars.size() + 2 * list + 1];
}

// Tells streams apart by everything that decides how much they move.
class Discrimination {
 public:
  explicit Discrimination(const Trace& trace)
      : trace_(trace), executions_(trace), classes_(trace.streams()) {
    items(trace.root);
    for (const Call& call : trace.calls) payloads(call);
    for (std::uint32_t c = 0; c < trace.calls.size(); ++c) made_objects(c);
    // Threads use what others of their rank make.
    if (trace.threads > 1) every_rank();
    if (starts_) {
      for (const Call& call : trace.calls) requests(call);
    }
  }

  trace::StreamClasses take() { return std::move(classes_); }

 private:
  void items(const trace::Item& item) {
    classes_.refine(item.trips);
    for (const trace::Item& b : item.body) items(b);
    if (item.is_call()) {
      const std::uint32_t traits = trace::function(trace_.calls[item.call].function).traits;
      starts_ |= (traits & trace::traits::kStart) != 0;
    }
  }

  void payloads(const Call& call) {
    const Function& f = trace::function(call.function);
    for (const Payload& p : f.payloads) {
      if (p.buffer >= 0) classes_.refine(call.columns[p.buffer]);
      if (p.blocks == trace::Blocks::listed) {
        list(call, p.count);
      } else if (p.count >= 0) {
        classes_.refine(call.columns[p.count]);
      }
      if (p.typed_each) {
        list(call, p.datatype);
      } else if (p.datatype >= 0) {
        classes_.refine(call.columns[p.datatype]);
      }
      if (p.where != trace::Where::everywhere) {
        root(call, p.peer);
      } else if (p.peer >= 0) {
        peer(call.columns[p.peer]);
      }
      if (p.blocks == trace::Blocks::listed && !elements_of(call, p.count).is_constant() &&
          has_own_block(call, p)) {
        every_rank();
      }
    }
    if (f.payloads.empty()) return;
    if (f.communicator >= 0) classes_.refine(call.columns[f.communicator]);
    needs_neighbors_ |= (f.traits & trace::traits::kNeighbor) != 0;
  }

  // Somebody asks for one block of the list: its own, or that of a buffer which may be in place.
  static bool has_own_block(const Call& call, const Payload& p) {
    if (p.part == trace::Part::own) return true;
    const Function& f = trace::function(call.function);
    return std::ranges::any_of(f.payloads, [&](const Payload& other) {
      return other.in_place >= 0 && &f.payloads[other.in_place] == &p &&
             call.columns[other.buffer] != Value::constant(0);
    });
  }

  void list(const Call& call, std::int8_t l) {
    classes_.refine(length_of(call, l));
    classes_.refine(elements_of(call, l));
  }

  // Of a peer only matters whether there is one.
  void peer(const Value& v) {
    if (!v.classes.empty()) return classes_.refine(v);
    if (v.is_constant()) return;
    trace::SeriesCursor c(v.by_stream);
    classes_.refine([&c](std::uint64_t) {
      const std::int64_t value = c.next();
      return trace::is_special(value) ? value : 0;
    });
  }

  void root(const Call& call, std::int8_t column) {
    const Value& v = call.columns[column];
    const int comm = trace::function(call.function).communicator;
    if (comm < 0 || call.columns[comm] != Value::constant(trace::kWorld)) {
      needs_ranks_ = true;
    } else if (v.encoding != trace::Encoding::relative && v.classes.empty()) {
      trace::SeriesCursor c(v.by_stream);
      classes_.refine([&](std::uint64_t s) {
        const auto rank = static_cast<std::int64_t>(s / trace_.threads);
        return static_cast<std::int64_t>(
            trace::decode_rank(v.encoding, c.next(), {rank, ranks()}) == rank);
      });
      return;
    } else if (v.encoding != trace::Encoding::relative) {
      every_rank();
    }
    classes_.refine(v);
  }

  void every_rank() {
    needs_ranks_ = true;
    classes_.refine([&](std::uint64_t s) { return static_cast<std::int64_t>(s / trace_.threads); });
  }

  // Sizes of datatypes and communicators; ranks in the latter only if a root or a block asks.
  void made_objects(std::uint32_t index) {
    const Call& call = trace_.calls[index];
    const Function& f = trace::function(call.function);
    if (!(f.traits & trace::traits::kCreate)) return;
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      const Column& column = f.scalars[c];
      const bool is_rank = column.name.ends_with("_rank");
      if (is_rank ? needs_ranks_ : column.kind == Kind::bytes || column.name.ends_with("_size")) {
        classes_.refine(call.columns[c]);
        classes_.refine(call.columns[is_rank || column.kind == Kind::bytes ? c - 1 : c - 2]);
      }
    }
    const bool makes_comm =
        std::ranges::any_of(f.scalars, [](const Column& c) { return c.kind == Kind::comm; });
    if (!makes_comm) return;
    // Of what kind the new one is, and its topology, may be those of the old one.
    if (f.communicator >= 0) classes_.refine(call.columns[f.communicator]);
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      classes_.refine(length_of(call, l));
      if (f.lists[l].name == "dims" && needs_neighbors_) borders(index);
      if (f.lists[l].name == "remain_dims" && needs_neighbors_) every_rank();
      if (f.lists[l].name == "index") every_rank();
    }
  }

  // Tells ranks apart that stand at different borders of a grid.
  void borders(std::uint32_t index) {
    const Call& call = trace_.calls[index];
    const Function& f = trace::function(call.function);
    const Value& rank = call.columns[*trace::made_column(f, Kind::comm) + 1];
    const auto shared = [](const Value& v) { return v.is_constant() || v.classes.size() == 1; };
    const bool one_grid =
        std::ranges::all_of(std::span(call.columns).subspan(f.scalars.size()), shared) &&
        executions_.of(index, executions_.busiest(index)) <= 1 && rank.classes.empty();
    trace::Event event;
    if (!one_grid || !trace::CallCursor(call, 0).next(event)) return every_rank();
    const mpi::Grid grid{event.lists[0], event.lists[1]};
    if (grid.dims.size() >= 32) return every_rank();
    trace::SeriesCursor ranks(rank.by_stream);
    classes_.refine([&](std::uint64_t) {
      std::int64_t key = 0;
      for (const std::int64_t r : mpi::grid_neighbors(grid, ranks.next()).sources)
        key = 2 * key + (r == trace::kProcNull ? 1 : 0);
      return key;
    });
  }

  void requests(const Call& call) {
    const Function& f = trace::function(call.function);
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      if (f.scalars[c].kind == Kind::request || static_cast<int>(c) == f.completed)
        classes_.refine(call.columns[c]);
    }
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      if (f.lists[l].kind == Kind::request) list(call, static_cast<std::int8_t>(l));
    }
  }

  std::int64_t ranks() const { return static_cast<std::int64_t>(trace_.ranks); }

  const Trace& trace_;
  Executions executions_;
  trace::StreamClasses classes_;
  bool starts_ = false;
  bool needs_neighbors_ = false;
  bool needs_ranks_ = false;
};

}  // namespace

trace::StreamClasses classes_by_volume(const Trace& trace) { return Discrimination(trace).take(); }

}  // namespace reprise::analyze
