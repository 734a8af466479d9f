// The items around a place of the trace: which of its executions belong to one iteration of a loop,
// and whether the loops' indices determine the execution.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "analyze/totals/executions.hpp"
#include "program/program.hpp"
#include "trace/program.hpp"

namespace reprise::program {

// The index of each loop inside, the outermost first, at each execution: [loops x executions].
using Indices = std::vector<std::vector<std::int64_t>>;

// What the executions of a place in one iteration of the loops outside are.
struct Entry {
  std::size_t scope = 0;           // loops that are outside
  std::uint64_t executions = 0;    // in one iteration of them, at most
  std::optional<Indices> indices;  // none: they differ between streams, or are too many
  std::map<std::uint32_t, std::uint64_t> of_class;  // executions, by class of streams

  // The loop of whose iterations each has one execution, from the first one that has, if there is
  // one.
  std::optional<ByLoop> by_loop() const;
};

class Nest {
 public:
  Nest(const trace::Trace& trace, analyze::Executions& executions)
      : trace_(trace), executions_(executions) {}

  void enter(const trace::Item& item, bool is_loop) { levels_.push_back({&item, is_loop}); }
  void leave() { levels_.pop_back(); }

  // Loops around the place.
  std::size_t loops() const;

  // The innermost loop of which all iterations that execute the place are alike to the streams, as
  // far as `recurs` says: that a value does so every `period` executions of `all`. `times`:
  // executions of the place on a stream. `values`: which streams `recurs` has to be asked for: one
  // of each class if all streams have the same values, else each. Cost: classes of streams x
  // depth^2 x executions of the levels around the place, up to a maximum; and `recurs` for these
  // streams on each level.
  using Recurs = std::function<bool(std::uint64_t stream, std::uint64_t period, std::uint64_t all)>;
  enum class Same : std::uint8_t { on_all_streams, on_each_stream };
  Entry entry(const std::vector<std::uint64_t>& streams,
              const std::function<std::uint64_t(std::uint64_t)>& times, const Recurs& recurs,
              Same values = Same::on_all_streams) const;

  // Those of one of the streams in an entry; none: too many. REQUIRES: the entry is of this place.
  std::optional<Indices> indices(const Entry& entry, std::uint64_t stream) const;

  // How many of the executions are a stream's. REQUIRES: the entry is of this place.
  std::uint64_t executions(const Entry& entry, std::uint64_t stream) const {
    return entry.of_class.at(executions_.class_of(stream));
  }

 private:
  struct Level {
    const trace::Item* item;
    bool is_loop;
  };

  // From which level inwards a stream is looked at. `level`: index into levels_.
  struct View {
    std::size_t level;
    std::uint64_t stream;
  };
  // How often a stream executes the body around each level in all, and the innermost item.
  std::vector<std::uint64_t> arrivals(std::uint64_t stream) const;
  // The first iteration around a level in which a stream executes the place.
  struct Iteration {
    std::uint64_t executions = 0;        // of the place
    std::vector<std::uint64_t> skipped;  // trip counts before it, by level from there inwards
  };
  // Nothing if iterations that execute the place differ, or are too many to compare. `arrivals`: of
  // the stream.
  std::optional<Iteration> first_iteration(const View& view,
                                           const std::vector<std::uint64_t>& arrivals) const;
  std::optional<Indices> indices(const Entry& entry, const View& view) const;
  std::optional<Indices> common_indices(const Entry& entry, std::size_t level,
                                        const std::vector<std::uint64_t>& some) const;
  std::vector<std::uint64_t> one_of_each_class(const std::vector<std::uint64_t>& streams) const;

  const trace::Trace& trace_;
  analyze::Executions& executions_;
  std::vector<Level> levels_;  // the outermost first
};

}  // namespace reprise::program
