#include "compress/times/mode_folder.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::compress {
namespace {

// Durations are close within this share of the larger one, or if the clock hardly tells them apart.
constexpr double kCloseShare = 0.3;
// How fast a mode's center follows its values.
constexpr std::int64_t kInertia = 8;

}  // namespace

void FoldedMode::encode(ByteWriter& out) const {
  times.encode(out);
  sample.encode(out);
}

FoldedMode FoldedMode::decode(ByteReader& in) {
  FoldedMode m;
  m.times = trace::Histogram::decode(in);
  m.sample = ExecutionSample::decode(in);
  return m;
}

bool ModeFolder::is_close(std::int64_t value, std::int64_t center) const {
  const std::int64_t gap = std::abs(value - center);
  return gap <= closest_ ||
         static_cast<double>(gap) <= kCloseShare * static_cast<double>(std::max(value, center));
}

void ModeFolder::add(std::int64_t value) {
  sample_.add(value);
  if (modes_.empty() || (!given_up_ && !is_close(value, modes_[current_].center))) choose(value);
  Mode& mode = modes_[current_];
  mode.center += (value - mode.center) / kInertia;
  mode.times.add(value);
  if (!given_up_) mode.sample.add(value);
  ++executions_;
}

// The closest mode, or a new one.
void ModeFolder::choose(std::int64_t value) {
  take_sequence();
  const auto distance = [value](const Mode& m) { return std::abs(value - m.center); };
  const auto closest = std::ranges::min_element(modes_, {}, distance);
  if (closest != modes_.end() && is_close(value, closest->center)) {
    current_ = static_cast<std::size_t>(closest - modes_.begin());
  } else if (modes_.size() < kMaxModes) {
    modes_.push_back({{trace::Histogram(bins_, smoothing_), {}}, value});
    current_ = modes_.size() - 1;
  } else {
    give_up();
  }
  if (sequence_.terms() > kMaxTerms) give_up();
}

void ModeFolder::give_up() {
  if (given_up_) return;
  given_up_ = true;
  for (std::size_t m = 1; m < modes_.size(); ++m) {
    modes_[0].times.merge(modes_[m].times);
    modes_[m].times = trace::Histogram();  // if memory runs out at the next one
  }
  modes_.resize(1);
  current_ = 0;
  sequence_ = {};
}

std::vector<FoldedMode> ModeFolder::modes() const {
  if (modes_.size() == 1) return {whole()};
  return {modes_.begin(), modes_.end()};
}

// Brings the sequence up to the present.
void ModeFolder::take_sequence() {
  if (executions_ == sequence_.size()) return;
  sequence_.append(static_cast<std::int64_t>(current_), executions_ - sequence_.size());
}

trace::Series ModeFolder::mode_of() {
  if (modes_.size() == 1) return trace::Series::constant(0);
  take_sequence();
  return sequence_.finish();
}

FoldedMode ModeFolder::whole() const {
  FoldedMode all{trace::Histogram(bins_, smoothing_), sample_};
  if (!modes_.empty()) all.times = modes_.front().times;
  for (std::size_t m = 1; m < modes_.size(); ++m) all.times.merge(modes_[m].times);
  return all;
}

}  // namespace reprise::compress
