#include "reprise/trace.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "mpi/payloads/type_sizes.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/program.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise {
namespace {

ColumnKind public_kind(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::polls: return ColumnKind::polls;
    case trace::Kind::buffer: return ColumnKind::buffer;
    case trace::Kind::count: return ColumnKind::count;
    case trace::Kind::integer: return ColumnKind::integer;
    case trace::Kind::boolean: return ColumnKind::boolean;
    case trace::Kind::character: return ColumnKind::character;
    case trace::Kind::tag: return ColumnKind::tag;
    case trace::Kind::peer: return ColumnKind::peer;
    case trace::Kind::matched: return ColumnKind::matched;
    case trace::Kind::color: return ColumnKind::color;
    case trace::Kind::comm: return ColumnKind::comm;
    case trace::Kind::group: return ColumnKind::group;
    case trace::Kind::datatype: return ColumnKind::datatype;
    case trace::Kind::op: return ColumnKind::op;
    case trace::Kind::window: return ColumnKind::window;
    case trace::Kind::file: return ColumnKind::file;
    case trace::Kind::session: return ColumnKind::session;
    case trace::Kind::message: return ColumnKind::message;
    case trace::Kind::request: return ColumnKind::request;
    case trace::Kind::bytes: return ColumnKind::bytes;
  }
  return ColumnKind::integer;
}

struct PublicColumns {
  std::vector<Column> scalars, lists;
};

const PublicColumns& public_columns(const trace::Function& function) {
  static const std::vector<PublicColumns> all = [] {
    const auto translate = [](std::span<const trace::Column> columns) {
      std::vector<Column> out;
      for (const trace::Column& c : columns) out.push_back({c.name, public_kind(c.kind)});
      return out;
    };
    std::vector<PublicColumns> out;
    for (const trace::Function& f : trace::functions()) {
      out.push_back({translate(f.scalars), translate(f.lists)});
    }
    return out;
  }();
  return all[static_cast<std::size_t>(&function - trace::functions().data())];
}

struct Trait {
  std::string_view word;
  std::uint32_t bit;
};

constexpr Trait kTraits[] = {
    {"send", trace::traits::kSend},
    {"recv", trace::traits::kRecv},
    {"sync", trace::traits::kSync},
    {"buffered", trace::traits::kBuffered},
    {"ready", trace::traits::kReady},
    {"probe", trace::traits::kProbe},
    {"collective", trace::traits::kCollective},
    {"neighbor", trace::traits::kNeighbor},
    {"rma", trace::traits::kRma},
    {"rma-sync", trace::traits::kRmaSync},
    {"io", trace::traits::kIo},
    {"begin", trace::traits::kBegin},
    {"end", trace::traits::kEnd},
    {"create", trace::traits::kCreate},
    {"inter", trace::traits::kInter},
    {"intra", trace::traits::kIntra},
    {"free", trace::traits::kFree},
    {"start", trace::traits::kStart},
    {"complete", trace::traits::kComplete},
    {"cancel", trace::traits::kCancel},
    {"poll", trace::traits::kPoll},
    {"nonblocking", trace::traits::kNonblocking},
    {"persistent", trace::traits::kPersistent},
    {"local", trace::traits::kLocal},
    {"state", trace::traits::kState},
    {"init", trace::traits::kInit},
    {"finalize", trace::traits::kFinalize},
    {"abort", trace::traits::kAbort},
    {"control", trace::traits::kControl},
    {"variadic", trace::traits::kVariadic},
    {"removed", trace::traits::kRemoved},
    {"partitioned", trace::traits::kPartitioned},
};

std::uint64_t stream_number(const trace::Trace& trace, Stream stream) {
  REPRISE_REQUIRE(stream.rank < trace.ranks && stream.thread < trace.threads);
  return stream.rank * trace.threads + stream.thread;
}

Result<std::shared_ptr<const trace::Trace>> share(Result<trace::Trace> trace) {
  if (!trace) return trace.error();
  return std::make_shared<const trace::Trace>(std::move(*trace));
}

}  // namespace

std::string_view Function::name() const { return function_->name; }

std::span<const Column> Function::scalars() const { return public_columns(*function_).scalars; }

std::span<const Column> Function::lists() const { return public_columns(*function_).lists; }

bool Function::has_trait(std::string_view word) const {
  for (const Trait& t : kTraits) {
    if (t.word == word) return (function_->traits & t.bit) != 0;
  }
  return false;
}

bool Value::is_constant() const { return value_->is_constant(); }

std::int64_t Value::at(Stream stream, std::uint64_t k) const {
  const std::uint64_t number = stream_number(*trace_, stream);
  const trace::Series* series = value_->series_of(number);
  return series ? series->at(k) : value_->constant_of(number);
}

Value::Form Value::form() const {
  switch (value_->encoding) {
    case trace::Encoding::absolute: return Form::absolute;
    case trace::Encoding::relative: return Form::relative;
    case trace::Encoding::exclusive_or: return Form::exclusive_or;
  }
  return Form::absolute;
}

Function Call::function() const {
  return Function(&trace::function(trace_->calls[index_].function));
}

std::vector<Frame> Call::callpath() const {
  std::vector<Frame> out;
  for (const std::uint32_t index : trace_->callpaths[trace_->calls[index_].callpath]) {
    const trace::Frame& f = trace_->frames[index];
    Frame& frame = out.emplace_back();
    frame.function = trace_->texts[f.function];
    frame.file = trace_->texts[f.file];
    frame.line = f.line;
    frame.is_wrapper = trace::is_wrapper(*trace_, f);
    if (f.line == 0 && f.module < trace_->modules.size()) {
      frame.module = trace_->modules[f.module].path;
      frame.offset = f.offset;
    }
  }
  return out;
}

std::size_t Call::place() const {
  return trace::place_index(*trace_, trace_->calls[index_].callpath);
}

std::string Call::place_text() const {
  return trace::describe_place(*trace_, trace_->calls[index_].callpath);
}

Value Call::scalar(std::size_t i) const {
  REPRISE_REQUIRE(i < function().scalars().size());
  return Value(trace_, &trace_->calls[index_].columns[i]);
}

Value Call::list_length(std::size_t i) const {
  const Function f = function();
  REPRISE_REQUIRE(i < f.lists().size());
  return Value(trace_, &trace_->calls[index_].columns[f.scalars().size() + 2 * i]);
}

Value Call::list_elements(std::size_t i) const {
  const Function f = function();
  REPRISE_REQUIRE(i < f.lists().size());
  return Value(trace_, &trace_->calls[index_].columns[f.scalars().size() + 2 * i + 1]);
}

Value Item::trips() const { return Value(trace_, &item_->trips); }

std::optional<Call> Item::call() const {
  if (!item_->is_call()) return std::nullopt;
  return Call(trace_, item_->call);
}

std::vector<Item> Item::body() const {
  std::vector<Item> out;
  for (const trace::Item& b : item_->body) out.push_back(Item(trace_, &b));
  return out;
}

Result<Trace> Trace::open(const std::string& path) {
  auto trace = share(trace::read_trace(path));
  if (!trace) return trace.error();
  return Trace(*trace);
}

Result<Trace> Trace::decode(std::span<const std::uint8_t> data, const std::string& name) {
  auto trace = share(trace::decode_trace(data, name));
  if (!trace) return trace.error();
  return Trace(*trace);
}

std::string_view Trace::program() const { return trace_->program; }

std::string_view Trace::mpi() const { return trace_->mpi; }

std::string_view Trace::options() const { return trace_->options; }

std::chrono::sys_seconds Trace::date() const {
  return std::chrono::sys_seconds(std::chrono::seconds(trace_->date));
}

std::chrono::microseconds Trace::duration() const {
  return std::chrono::microseconds(trace_->duration);
}

std::uint64_t Trace::ranks() const { return trace_->ranks; }

std::uint64_t Trace::threads() const { return trace_->threads; }

std::vector<Loss> Trace::losses() const {
  std::vector<Loss> out;
  for (const trace::Loss& l : trace_->losses) out.push_back({l.what, l.count});
  return out;
}

Item Trace::root() const { return Item(trace_, &trace_->root); }

std::size_t Trace::calls() const { return trace_->calls.size(); }

Call Trace::call(std::size_t index) const {
  REPRISE_REQUIRE(index < calls());
  return Call(trace_, index);
}

namespace {

// A call that creates more datatypes than this is damaged.
constexpr std::uint64_t kMaxTypes = std::uint64_t{1} << 22;

// Learns the datatypes that a stream creates in `passes` executions of an item.
void learn_types(const trace::Trace& t, const trace::Item& item, std::uint64_t stream,
                 std::uint64_t passes, mpi::TypeSizes& sizes) {
  const std::int64_t trips = trace::sum_of(item.trips, stream, passes);
  if (trips <= 0) return;
  const auto n = static_cast<std::uint64_t>(trips);
  for (const trace::Item& inner : item.body) learn_types(t, inner, stream, n, sizes);
  if (!item.is_call()) return;
  const trace::Call& call = t.calls[item.call];
  if (!(trace::function(call.function).traits & trace::traits::kCreate)) return;
  trace::CallCursor cursor(call, stream);
  trace::Event event;
  for (std::uint64_t k = 0; k < std::min(n, kMaxTypes) && cursor.next(event); ++k)
    sizes.learn(event);
}

}  // namespace

struct Cursor::Walk {
  Walk(std::shared_ptr<const trace::Trace> t, std::uint64_t s)
      : trace(std::move(t)), stream(s), cursor(*trace, s) {}

  // Learns the datatypes that other threads of the rank create, at any time.
  void learn_from_threads() {
    if (std::exchange(knows_threads, true)) return;
    const std::uint64_t first = stream - stream % trace->threads;
    for (std::uint64_t s = first; s < first + trace->threads; ++s) {
      if (s != stream) learn_types(*trace, trace->root, s, 1, of_threads);
    }
  }

  std::shared_ptr<const trace::Trace> trace;
  std::uint64_t stream;
  trace::Cursor cursor;
  mpi::TypeSizes type_sizes, of_threads;  // of datatypes that the stream made, and other threads
  bool knows_threads = false;
};

Cursor::Cursor(std::unique_ptr<Walk> walk) : walk_(std::move(walk)) {}

Cursor::Cursor(Cursor&&) noexcept = default;

Cursor& Cursor::operator=(Cursor&&) noexcept = default;

Cursor::~Cursor() = default;

Cursor Trace::cursor(Stream stream) const {
  return Cursor(std::make_unique<Cursor::Walk>(trace_, stream_number(*trace_, stream)));
}

std::optional<Cursor> Trace::unfinished(Stream stream) const {
  const auto unfinished = trace::unfinished_of(*trace_);
  const std::uint64_t number = stream_number(*trace_, stream);
  const bool is_in = unfinished && std::ranges::any_of(unfinished->calls, [&](const auto& u) {
                       return trace::ValueCursor(u.trips, number).next() != 0;
                     });
  if (!is_in) return std::nullopt;
  auto full = std::make_shared<const trace::Trace>(trace::with_unfinished(*trace_));
  Cursor out(std::make_unique<Cursor::Walk>(std::move(full), number));
  while (out.next()) {
    if (out.walk_->cursor.event().call >= trace_->calls.size()) return out;
  }
  return std::nullopt;
}

bool Cursor::next() {
  if (!walk_->cursor.next()) return false;
  walk_->type_sizes.learn(walk_->cursor.event());
  return true;
}

Status Cursor::status() const {
  if (!walk_->cursor.damaged()) return {};
  return Error{"the trace is damaged (a value does not make sense); record it again"};
}

Function Cursor::function() const { return Function(walk_->cursor.event().function); }

Call Cursor::call() const { return Call(walk_->trace, walk_->cursor.event().call); }

std::span<const std::int64_t> Cursor::scalars() const { return walk_->cursor.event().scalars; }

std::span<const std::int64_t> Cursor::list(std::size_t i) const {
  REPRISE_REQUIRE(i < walk_->cursor.event().lists.size());
  return walk_->cursor.event().lists[i];
}

std::optional<std::int64_t> Cursor::scalar(std::string_view name) const {
  const trace::Event& event = walk_->cursor.event();
  for (std::size_t i = 0; i < event.scalars.size(); ++i) {
    if (event.function->scalars[i].name == name) return event.scalars[i];
  }
  return std::nullopt;
}

std::optional<std::int64_t> Cursor::type_size(std::int64_t datatype) const {
  const mpi::TypeId type{datatype};
  mpi::Bytes size = walk_->type_sizes.of(type);
  if (!size.is_known()) {
    walk_->learn_from_threads();
    size = walk_->of_threads.of(type);
  }
  return size.is_known() ? std::optional(size.count()) : std::nullopt;
}

}  // namespace reprise
