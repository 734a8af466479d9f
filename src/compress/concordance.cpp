#include "compress/concordance.hpp"

#include <algorithm>
#include <bit>

#include "base/hash.hpp"

namespace reprise::compress {
namespace {

constexpr unsigned kMaxLevel = 48;

bool is_sampled(std::uint64_t execution, unsigned level) {
  return (mix(execution + 1) & ((std::uint64_t{1} << level) - 1)) == 0;
}

unsigned decode_level(ByteReader& in) {
  const std::uint64_t level = in.varint();
  if (level > kMaxLevel) return in.fail("an impossible sample"), 0;
  return static_cast<unsigned>(level);
}

}  // namespace

void ExecutionSample::take(std::int64_t value) {
  taken_.push_back({next_, value});
  while (taken_.size() > kMost && level_ < kMaxLevel) {
    ++level_;
    std::erase_if(taken_, [this](const Taken& t) { return !is_sampled(t.execution, level_); });
  }
  do {
    ++next_;
  } while (!is_sampled(next_, level_));
}

void ExecutionSample::encode(ByteWriter& out) const {
  out.varint(level_);
  out.varint(taken_.size());
  for (const Taken& t : taken_) {
    out.varint(t.execution);
    out.signed_varint(t.value);
  }
}

ExecutionSample ExecutionSample::decode(ByteReader& in) {
  ExecutionSample s;
  s.level_ = decode_level(in);
  s.taken_.resize(in.count(2));
  for (Taken& t : s.taken_) {
    t.execution = in.varint();
    t.value = in.signed_varint();
  }
  return s;
}

Concordance::Concordance(const ExecutionSample& sample, double mean) : level_(sample.level_) {
  if (mean <= 0) return;
  for (const ExecutionSample::Taken& t : sample.taken_) {
    const double v = static_cast<double>(t.value) / mean;
    rows_[t.execution] = {1, v, v * v};
  }
}

void Concordance::raise(unsigned level) {
  level_ = level;
  std::erase_if(rows_, [level](const auto& row) { return !is_sampled(row.first, level); });
}

void Concordance::merge(const Concordance& other) {
  if (other.level_ > level_) raise(other.level_);
  for (const auto& [execution, more] : other.rows_) {
    if (!is_sampled(execution, level_)) continue;
    Row& row = rows_[execution];
    row.streams += more.streams;
    row.sum += more.sum;
    row.squares += more.squares;
  }
}

double Concordance::share() const {
  double n = 0, sum = 0, between = 0, within = 0;
  for (const auto& [execution, row] : rows_) {
    n += static_cast<double>(row.streams);
    sum += row.sum;
  }
  const auto groups = static_cast<double>(rows_.size());
  if (groups < 2 || n <= groups) return 0;
  const double grand = sum / n, each = n / groups;
  for (const auto& [execution, row] : rows_) {
    const auto streams = static_cast<double>(row.streams);
    const double mean = row.sum / streams;
    between += streams * (mean - grand) * (mean - grand);
    within += std::max(0.0, row.squares - streams * mean * mean);
  }
  between /= groups - 1;
  within /= n - groups;
  const double all = between + (each - 1) * within;
  // Relative to the mean squared: what rounding leaves of values that are all alike is no
  // variation.
  if (all <= 1e-12 * grand * grand * each) return 0;
  return std::clamp((between - within) / all, 0.0, 1.0);
}

void Concordance::encode(ByteWriter& out) const {
  out.varint(level_);
  out.varint(rows_.size());
  for (const auto& [execution, row] : rows_) {
    out.varint(execution);
    out.varint(row.streams);
    out.fixed64(std::bit_cast<std::uint64_t>(row.sum));
    out.fixed64(std::bit_cast<std::uint64_t>(row.squares));
  }
}

Concordance Concordance::decode(ByteReader& in) {
  Concordance c;
  c.level_ = decode_level(in);
  for (std::size_t n = in.count(18); n > 0 && !in.failed(); --n) {
    const std::uint64_t execution = in.varint();
    Row& row = c.rows_[execution];
    row.streams = in.varint();
    row.sum = std::bit_cast<double>(in.fixed64());
    row.squares = std::bit_cast<double>(in.fixed64());
  }
  return c;
}

}  // namespace reprise::compress
