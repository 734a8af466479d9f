#include "analyze/compare/project.hpp"

#include <algorithm>
#include <map>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/series/series_sum.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Encoding;
using trace::Kind;
using trace::SeriesFolder;
using trace::Trace;
using trace::Value;

namespace {

class Projection {
 public:
  Projection(const Trace& from, std::uint64_t stream, const trace::Memberships& own)
      : from_(from), stream_(stream), times_(executions(from, stream)), own_(own) {}

  Trace run() {
    out_ = from_;
    out_.ranks = out_.threads = 1;
    out_.root = {};
    item(from_.root, 1, out_.root.body);
    for (std::size_t c = 0; c < out_.calls.size(); ++c) call(c);
    walk();
    return std::move(out_);
  }

 private:
  // Appends the item, if it is ever passed; its contents alone, if it is passed once each time.
  void item(const trace::Item& from, std::uint64_t passes, std::vector<trace::Item>& to) {
    const std::int64_t trips = trace::sum_of(from.trips, stream_, passes);
    if (trips <= 0) return;
    trace::Item own{.trips = value(from.trips), .call = from.call, .body = {}};
    for (const trace::Item& b : from.body) item(b, static_cast<std::uint64_t>(trips), own.body);
    if (!own.is_call() && own.trips == Value::constant(1)) {
      std::ranges::move(own.body, std::back_inserter(to));
    } else if (own.is_call() || !own.body.empty()) {
      to.push_back(std::move(own));
    }
  }

  Value value(const Value& v) const {
    const trace::Series* series = v.series_of(stream_);
    Value out = Value::constant(0);
    out.encoding = v.encoding;
    if (!series) {
      out.by_stream = trace::Series::constant(v.constant_of(stream_));
    } else if (series->is_constant()) {
      out.by_stream = trace::Series::constant(series->at(0));
    } else {
      out.by_stream = {};
      out.classes = {*series};
    }
    return out;
  }

  void call(std::size_t index) {
    if (times_[index] == 0) return;
    trace::Call& c = out_.calls[index];
    bool is_encoded = false;
    for (Value& v : c.columns) {
      v = value(v);
      is_encoded |= v.encoding != Encoding::absolute;
    }
    const trace::Function& f = trace::function(c.function);
    if (f.communicator < 0 || !is_encoded) return;
    const Value& id = c.columns[f.communicator];
    const std::int64_t number = id.by_stream.empty() ? trace::kNone : id.by_stream.at(0);
    const Kind kind = f.scalars[f.communicator].kind;
    if (!id.classes.empty() || own_.is_ambiguous(kind, number)) {
      in_order_.emplace(static_cast<std::uint32_t>(index), Columns(c));
      return;
    }
    const trace::Membership m = own_.find(kind, number);
    if (!m.is_known()) return;
    for (std::size_t i = 0; i < c.columns.size(); ++i) {
      if (i < f.scalars.size()) {
        absolute(c.columns[i], m, times_[index]);
      } else if ((i - f.scalars.size()) % 2 == 1) {
        absolute(c.columns[i], m,
                 static_cast<std::uint64_t>(trace::sum_of(c.columns[i - 1], 0, times_[index])));
      }
    }
  }

  // `n` is how many values are ever asked for.
  static void absolute(Value& v, trace::Membership m, std::uint64_t n) {
    if (v.encoding == Encoding::absolute) return;
    SeriesFolder folder;
    trace::ValueCursor cursor(v, 0);
    if (v.classes.empty()) n = 1;
    for (std::uint64_t k = 0; k < n; ++k) {
      folder.append(trace::decode_rank(v.encoding, cursor.next(), m));
    }
    put(folder, v);
  }

  static void put(const SeriesFolder& folder, Value& v) {
    if (folder.empty()) return;
    trace::Series series = folder.finish();
    v = Value::constant(0);
    if (series.is_constant()) {
      v.by_stream = std::move(series);
    } else {
      v.by_stream = {};
      v.classes = {std::move(series)};
    }
  }

  // The ranks in a call, as the stream comes by it.
  struct Columns {
    explicit Columns(const trace::Call& call) : folders(call.columns.size()) {}

    std::vector<SeriesFolder> folders;
  };

  // Where the communicator varies, or the window is not always the same one, each rank is taken
  // from the call that it is in.
  void walk() {
    if (in_order_.empty()) return;
    trace::Cursor cursor(from_, stream_);
    while (cursor.next()) {
      const trace::Event& event = cursor.event();
      const auto found = in_order_.find(event.call);
      if (found == in_order_.end()) continue;
      std::vector<SeriesFolder>& folders = found->second.folders;
      for (std::size_t i = 0; i < event.scalars.size(); ++i) folders[i].append(event.scalars[i]);
      for (std::size_t l = 0; l < event.lists.size(); ++l) {
        SeriesFolder& elements = folders[event.scalars.size() + 2 * l + 1];
        for (const std::int64_t v : event.lists[l]) elements.append(v);
      }
    }
    for (auto& [index, columns] : in_order_) {
      std::vector<Value>& values = out_.calls[index].columns;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].encoding != Encoding::absolute) put(columns.folders[i], values[i]);
      }
    }
  }

  const Trace& from_;
  std::uint64_t stream_;
  std::vector<std::uint64_t> times_;
  const trace::Memberships& own_;
  std::map<std::uint32_t, Columns> in_order_;  // by call
  Trace out_;
};

}  // namespace

Trace Projector::of(std::uint64_t stream) {
  const std::uint64_t rank = stream / trace_.threads;
  if (memberships_.size() == 0 || rank != rank_) memberships_ = memberships_of(trace_, rank);
  rank_ = rank;
  return Projection(trace_, stream, memberships_).run();
}

}  // namespace reprise::analyze
