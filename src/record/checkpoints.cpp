#include "record/checkpoints.hpp"

namespace reprise::record {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;   // [ns]
constexpr std::uint64_t kOften = kSecond / 1000;   // between two looks [ns]
constexpr std::uint64_t kLongest = 600 * kSecond;  // between two checkpoints, if they are cheap
constexpr std::uint32_t kMaxStride = 64;
constexpr std::uint64_t kShare = 100;  // of the time may go into checkpoints, as 1 / kShare
constexpr std::uint64_t kGrowth = 8;   // the run grows by 1 / kGrowth from one to the next

}  // namespace

bool Checkpoints::due(std::uint64_t now) {
  stride_ = now - looked_ < kOften ? std::min(2 * stride_, kMaxStride) : 1;
  calls_left_ = stride_;
  looked_ = now;
  return now >= next_;
}

void Checkpoints::taken(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t growth = std::min((end - start_) / kGrowth, kLongest);
  next_ = end + std::max(kShare * (end - begin), growth);
}

}  // namespace reprise::record
