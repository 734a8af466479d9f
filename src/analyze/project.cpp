#include "analyze/project.hpp"

#include <algorithm>

#include "analyze/executions.hpp"
#include "analyze/volume.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_sum.hpp"

namespace reprise::analyze {

using trace::Encoding;
using trace::Kind;
using trace::SeriesFolder;
using trace::Trace;
using trace::Value;

namespace {

class Projection {
 public:
  Projection(const Trace& from, std::uint64_t stream)
      : from_(from),
        stream_(stream),
        times_(executions(from, stream)),
        objects_(static_cast<std::int64_t>(stream / from.threads),
                 static_cast<std::int64_t>(from.ranks)) {
    // What one thread of a rank makes, all of them use.
    const std::uint64_t first = stream - stream % from.threads;
    for (std::uint64_t s = first; s < first + from.threads; ++s) learn(s);
  }

  Trace run() {
    out_ = from_;
    out_.ranks = out_.threads = 1;
    out_.root = {};
    item(from_.root, 1, out_.root.body);
    for (std::size_t c = 0; c < out_.calls.size(); ++c) call(c);
    return std::move(out_);
  }

 private:
  void learn(std::uint64_t stream) {
    const std::vector<std::uint64_t> times = executions(from_, stream);
    for (std::size_t c = 0; c < from_.calls.size(); ++c) {
      if (times[c] == 0 ||
          !(trace::function(from_.calls[c].function).traits & trace::traits::kCreate))
        continue;
      trace::CallCursor cursor(from_.calls[c], stream);
      trace::Event event;
      for (std::uint64_t k = 0; k < times[c] && cursor.next(event); ++k) objects_.learn(event);
    }
  }

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
    for (Value& v : c.columns) v = value(v);
    const trace::Function& f = trace::function(c.function);
    if (f.communicator < 0 || f.scalars[f.communicator].kind != Kind::comm) return;
    const Value& comm = c.columns[f.communicator];
    if (!comm.classes.empty()) return;
    const trace::Membership m = objects_.comm(comm.by_stream.at(0)).membership;
    if (m.size == 0) return;
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
      folder.append(trace::decode_rank(v.encoding, cursor.next(), m.rank, m.size));
    }
    if (folder.empty()) return;
    const bool constant = v.classes.empty();
    v = Value::constant(0);
    if (constant) {
      v.by_stream = trace::Series::constant(folder.finish().at(0));
    } else {
      v.by_stream = {};
      v.classes = {folder.finish()};
    }
  }

  const Trace& from_;
  std::uint64_t stream_;
  std::vector<std::uint64_t> times_;
  Objects objects_;
  Trace out_;
};

}  // namespace

Trace project(const Trace& trace, std::uint64_t stream) { return Projection(trace, stream).run(); }

}  // namespace reprise::analyze
