#include "replay/process/stream.hpp"

#include "replay/process/clock.hpp"

namespace reprise::replay {

using trace::Event;

std::vector<std::int64_t> used_comms(const Event& event) {
  std::vector<std::int64_t> out;
  const auto columns = event.function->scalars;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].kind != trace::Kind::comm) continue;
    const bool is_made = trace::made_column(*event.function, trace::Kind::comm) == c;
    if (!is_made && event.scalars[c] >= 0) out.push_back(event.scalars[c]);
  }
  return out;
}

Stream::Stream(Process& process, std::uint64_t thread)
    : process_(process),
      stream_(static_cast<std::uint64_t>(process.rank) * process.trace.threads + thread),
      calls_(process.recording.calls(static_cast<std::uint64_t>(process.rank), thread)),
      arguments_(process, stream_),
      model_(process.options.compute ? compute_model(process.trace, stream_, process.options)
                                     : nullptr) {}

const Event* Stream::peek() {
  if (!ahead_) ahead_ = calls_->next();
  if (!ahead_ && !calls_->problem().empty()) give_up(process_, calls_->problem());
  return ahead_;
}

void Stream::skip() {
  previous_ = ahead_->call;
  ahead_ = nullptr;
}

bool Stream::step() {
  const Event* event = peek();
  if (!event) return false;
  if (model_) compute(*event);
  arguments_.begin(*event);
  player(trace::function_of(*event)).play(arguments_);
  arguments_.end();
  skip();
  return true;
}

// Waits for the compute time since the end of the last call. The next call makes up for a sleep
// that took too long.
void Stream::compute(const Event& event) {
  const std::int64_t start = arguments_.last_end();
  const std::int64_t until = start + model_->before(event, previous_) - overslept_;
  const std::int64_t left = until - now_ns();
  if (left > 0) {
    process_.options.waiting == Waiting::spin ? spin_until(until) : sleep_ns(left);
  }
  const std::int64_t end = now_ns();
  overslept_ = end - until;
  computed_ += 1e-9 * static_cast<double>(end - start);
}

Totals Stream::final_totals() const {
  Totals t = arguments_.totals();
  t.compute = computed_;
  t.total = 1e-9 * static_cast<double>(now_ns() - began_);
  return t;
}

}  // namespace reprise::replay
