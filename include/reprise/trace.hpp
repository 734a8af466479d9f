// Reads traces: what `reprise record` wrote, as a program over all ranks and as the calls of one
// rank.
//
//   auto trace = reprise::Trace::open("app.reprise");
//   if (!trace) return complain(trace.error().message);
//   for (auto call = trace->cursor({.rank = 3}); call.next();) count(call.function().name());
//   for (const reprise::Delta& delta : trace->call(0).deltas()) plot(delta.bins());
//
// Nothing here throws, apart from std::bad_alloc, or prints. A Trace and what it hands out share
// what was read: copies are cheap, any of them may outlive the others, and different threads may
// use different ones at once. A `std::string_view` or `std::span` lives as long as any of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reprise/result.hpp"
#include "reprise/values.hpp"

namespace reprise {

namespace trace {
struct Trace;
struct Item;
struct Value;
struct Function;
struct DeltaTimes;
}  // namespace trace

class Cursor;
class Item;

// One thread of one rank: what a trace tells is in order within a stream.
struct Stream {
  std::uint64_t rank = 0;    // in MPI_COMM_WORLD
  std::uint64_t thread = 0;  // in the order of the threads' first MPI calls
};

// What the recorder could not keep: how often, in words such as "calls that returned an error".
struct Loss {
  std::string_view what;
  std::uint64_t count = 0;
};

// A return address, and what it stands for as far as that is known.
struct Frame {
  std::string_view function;  // empty if unknown
  std::string_view file;      // empty if unknown
  std::uint32_t line = 0;     // 0 if unknown
  std::string_view module;    // path of the program or library; empty where there is a line
  std::uint64_t offset = 0;   // within the module [bytes]
  bool is_wrapper = false;    // whether the function only passes a call on to MPI
};

// An MPI function.
class Function {
 public:
  std::string_view name() const;  // "MPI_Send"
  // The columns of a call: one value each, or, of the lists, any number of values each.
  std::span<const Column> scalars() const;
  std::span<const Column> lists() const;
  // Whether a word such as "send", "collective" or "nonblocking" applies to it. The words are the
  // traits at the head of spec/mpi.spec.
  bool has_trait(std::string_view word) const;

  bool operator==(const Function&) const = default;

 private:
  friend class Call;
  friend class Cursor;
  explicit Function(const trace::Function* function) : function_(function) {}

  const trace::Function* function_;
};

// A number as a function of the stream and of how often the stream has been here before.
class Value {
 public:
  // Whether it is one number, for every stream and every time.
  bool is_constant() const;
  // The k-th of a stream, from 0. Where the stream does not come so often it is some number that
  // means nothing.
  // REQUIRES: the stream is one of the trace.
  std::int64_t at(Stream stream, std::uint64_t k) const;
  // Peers are kept in the form that makes ranks alike: as themselves; as the distance from the
  // stream's own rank, modulo the size of the communicator; or as the exclusive or with it.
  // Cursor gives them as themselves.
  enum class Form { absolute, relative, exclusive_or };
  Form form() const;

 private:
  friend class Call;
  friend class Item;
  Value(std::shared_ptr<const trace::Trace> trace, const trace::Value* value)
      : trace_(std::move(trace)), value_(value) {}

  std::shared_ptr<const trace::Trace> trace_;
  const trace::Value* value_;
};

// Durations that are close to each other: a bin of a histogram [ns].
struct DurationBin {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t min = 0, max = 0;  // of inner bins: or the edges to their neighbors
  double deviation = 0;           // standard deviation of the population
};

// A duration that recurs: what is computed before a call, or spent in it. It is kept as a histogram
// over all executions on streams that resemble each other, and as a sum of each stream.
class Delta {
 public:
  enum class Kind { compute, communicate };
  Kind kind() const { return kind_; }
  // From where computation leads to the call: from another call, from the begin of the stream, or,
  // where that is not told apart and of the time in a call, from anywhere.
  enum class Origin { call, start, any };
  Origin origin() const;
  // The call before, as an index for Trace::call. REQUIRES: origin() is Origin::call.
  std::size_t call_before() const;

  // All executions of all streams: count, sum, minimum and maximum are exact unless the trace keeps
  // durations with a precision. Its count is 0 if there was none.
  DurationBin total() const;
  std::uint64_t min_rank() const;  // where the minimum occurred first
  std::uint64_t max_rank() const;
  // The histogram of all streams, ascending.
  std::vector<DurationBin> bins() const;
  // That of the class of streams that the stream belongs to; empty if the stream has no execution.
  // REQUIRES, of all below: the stream is one of the trace.
  std::vector<DurationBin> bins(Stream stream) const;
  std::uint64_t count(Stream stream) const;  // executions
  double sum(Stream stream) const;           // [ns]; an estimate unless has_sums()
  // Whether the trace keeps sums of single streams.
  bool has_sums() const;

 private:
  friend class Call;
  Delta(std::shared_ptr<const trace::Trace> trace, const trace::DeltaTimes* times, Kind kind,
        std::uint32_t from)
      : trace_(std::move(trace)), times_(times), kind_(kind), from_(from) {}

  std::shared_ptr<const trace::Trace> trace_;
  const trace::DeltaTimes* times_;
  Kind kind_;
  std::uint32_t from_;
};

// One place in the program that calls MPI: a function at a call path.
class Call {
 public:
  // From 0 in program order; see Trace::calls.
  std::size_t index() const { return index_; }
  Function function() const;
  // Whence it is called, the innermost frame first. Empty if call paths were not recorded.
  std::vector<Frame> callpath() const;
  // The place in the source: the index in callpath() of the innermost frame above the program's
  // wrappers of MPI. 0 if call paths were not recorded.
  std::size_t place() const;
  // The same in words, as `reprise show` has it: "exchange stencil2d.c:40", "solve cg.c:12 via
  // my_Allreduce". Empty if call paths were not recorded. Cost: O(n log n) for the n frames of the
  // trace.
  std::string place_text() const;
  // The column Function::scalars()[i]. REQUIRES: i < function().scalars().size().
  Value scalar(std::size_t i) const;
  // The length of Function::lists()[i], and the elements of all such lists one after the other.
  // REQUIRES: i < function().lists().size().
  Value list_length(std::size_t i) const;
  Value list_elements(std::size_t i) const;
  // The time in the call first, then the computation before it, by the call that came before. Empty
  // if times were not recorded.
  std::vector<Delta> deltas() const;

 private:
  friend class Trace;
  friend class Item;
  friend class Cursor;
  Call(std::shared_ptr<const trace::Trace> trace, std::size_t index)
      : trace_(std::move(trace)), index_(index) {}

  std::shared_ptr<const trace::Trace> trace_;
  std::size_t index_;
};

// A part of the program: a call, or a body of parts in order; a loop if it takes many trips, a
// branch if it takes none or one.
class Item {
 public:
  // How often in each pass of the body around it.
  Value trips() const;
  // The call, if it is one; a body otherwise.
  std::optional<Call> call() const;
  std::vector<Item> body() const;

 private:
  friend class Trace;
  Item(std::shared_ptr<const trace::Trace> trace, const trace::Item* item)
      : trace_(std::move(trace)), item_(item) {}

  std::shared_ptr<const trace::Trace> trace_;
  const trace::Item* item_;
};

class Trace {
 public:
  // Errors: the file cannot be opened or read, is no trace, is damaged, or is of a version that
  // this library does not know.
  static Result<Trace> open(const std::string& path);
  // The same from memory; error messages call the data `name`.
  static Result<Trace> decode(std::span<const std::uint8_t> data, const std::string& name);

  std::string_view program() const;       // the command line
  std::string_view mpi() const;           // "Open MPI v4.1.4"
  std::string_view options() const;       // what trades precision for size; empty if nothing does
  std::chrono::sys_seconds date() const;  // when the program began
  std::chrono::microseconds duration() const;  // of the rank that took longest
  std::uint64_t ranks() const;
  std::uint64_t threads() const;  // streams of a rank
  std::vector<Loss> losses() const;
  bool has_times() const;  // whether calls have deltas

  // The program. Every stream passes it from the first part to the last.
  Item root() const;
  // The calls in it, in program order.
  std::size_t calls() const;
  // REQUIRES: index < calls().
  Call call(std::size_t index) const;

  // What a stream did, before its first call. REQUIRES: rank < ranks(), thread < threads().
  Cursor cursor(Stream stream) const;

  // Where the run ended early: a cursor that stands at the call that the stream had begun and that
  // had not returned. What would have come out of the call is special::none. Nothing if every call
  // of the stream returned. Its Call is none of call(). Cost: a walk of the stream.
  // REQUIRES: rank < ranks(), thread < threads().
  std::optional<Cursor> unfinished(Stream stream) const;

 private:
  explicit Trace(std::shared_ptr<const trace::Trace> trace) : trace_(std::move(trace)) {}

  std::shared_ptr<const trace::Trace> trace_;
};

// Walks the calls that one stream made, in order: memory by the size of the trace, not of the run;
// amortised constant time for a call.
class Cursor {
 public:
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  // Goes on to the next call. False behind the last one, and where the trace contradicts itself.
  bool next();
  // Whether the walk ended at the end. REQUIRES: next() returned false.
  Status status() const;

  // Of the call that the cursor stands at. REQUIRES, of all below: the last next() returned true.
  Function function() const;
  Call call() const;
  // In the order of Function::scalars() and lists(). Ranks are those of the call's communicator.
  // They hold until the next next().
  std::span<const std::int64_t> scalars() const;
  std::span<const std::int64_t> list(std::size_t i) const;
  // A scalar by its name; nothing if the function has no such column.
  std::optional<std::int64_t> scalar(std::string_view name) const;
  // The size of a datatype as of this call [bytes]; nothing if the recorder did not see it made. Of
  // one that another thread of the rank made, the size that it has last.
  std::optional<std::int64_t> type_size(std::int64_t datatype) const;

 private:
  friend class Trace;
  struct Walk;
  explicit Cursor(std::unique_ptr<Walk> walk);

  std::unique_ptr<Walk> walk_;
};

}  // namespace reprise
