#include "compress/times/concordance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.hpp"

namespace reprise::compress {
namespace {

constexpr unsigned kMaxLevel = 48;

bool is_sampled(std::uint64_t execution, unsigned level) {
  return (mix(execution + 1) & ((std::uint64_t{1} << level) - 1)) == 0;
}

std::uint32_t bits_of(double v) { return std::bit_cast<std::uint32_t>(static_cast<float>(v)); }

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

void ExecutionSample::scale(double factor) {
  for (Taken& t : taken_) t.value = std::llround(static_cast<double>(t.value) * factor);
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
    rows_.push_back({t.execution, 1, v, v * v});
  }
}

void Concordance::raise(unsigned level) {
  level_ = level;
  std::erase_if(rows_, [level](const Row& row) { return !is_sampled(row.execution, level); });
}

void Concordance::merge(const Concordance& other) {
  if (other.level_ > level_) raise(other.level_);
  std::vector<Row> all;
  all.reserve(rows_.size() + other.rows_.size());
  auto own = rows_.begin();
  for (const Row& more : other.rows_) {
    if (!is_sampled(more.execution, level_)) continue;
    while (own != rows_.end() && own->execution < more.execution) all.push_back(*own++);
    if (own == rows_.end() || own->execution != more.execution) {
      all.push_back(more);
      continue;
    }
    all.push_back({more.execution, own->streams + more.streams, own->sum + more.sum,
                   own->squares + more.squares});
    ++own;
  }
  all.insert(all.end(), own, rows_.end());
  rows_ = std::move(all);
}

double Concordance::share() const {
  double n = 0, sum = 0, between = 0, within = 0;
  for (const Row& row : rows_) {
    n += static_cast<double>(row.streams);
    sum += row.sum;
  }
  const auto groups = static_cast<double>(rows_.size());
  if (groups < 2 || n <= groups) return 0;
  const double grand = sum / n, each = n / groups;
  for (const Row& row : rows_) {
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
  for (const Row& row : rows_) {
    out.varint(row.execution);
    out.varint(row.streams);
    out.fixed64(std::uint64_t{bits_of(row.sum)} << 32 | bits_of(row.squares));
  }
}

Concordance Concordance::decode(ByteReader& in) {
  Concordance c;
  c.level_ = decode_level(in);
  c.rows_.resize(in.count(10));
  for (Row& row : c.rows_) {
    row.execution = in.varint();
    row.streams = in.varint();
    const std::uint64_t both = in.fixed64();
    row.sum = std::bit_cast<float>(static_cast<std::uint32_t>(both >> 32));
    row.squares = std::bit_cast<float>(static_cast<std::uint32_t>(both));
  }
  return c;
}

}  // namespace reprise::compress
