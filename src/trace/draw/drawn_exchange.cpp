#include "trace/draw/drawn_exchange.hpp"

#include <numeric>

namespace reprise::trace {

// The finalizer of MurmurHash3 with the constants of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Maps as many bits as n takes onto themselves until the result is below n (cycle walking: Black
// and Rogaway 2002).
std::int64_t Shuffle::place_of(std::int64_t i) const {
  const std::uint64_t last = static_cast<std::uint64_t>(n) - 1;
  std::uint64_t mask = 1, at = static_cast<std::uint64_t>(i);
  for (std::uint64_t bits = last; bits >>= 1;) mask = 2 * mask + 1;
  do {
    std::uint64_t k = key;
    for (int turn = 1; turn < 5; ++turn, k = mixed(k)) {
      at = ((at ^ k) * (k | 1)) & mask;
      at ^= at >> turn;
    }
  } while (at > last);
  return static_cast<std::int64_t>(at);
}

namespace {

// One of equal shares: each comes once in as many draws.
std::int64_t share(const std::vector<std::int64_t>& shares, std::int64_t draw, std::uint64_t key) {
  const auto n = static_cast<std::int64_t>(shares.size());
  const auto block = static_cast<std::uint64_t>(draw / n);
  return shares[static_cast<std::size_t>(Shuffle{n, mixed(key + block)}.place_of(draw % n))];
}

}  // namespace

ExchangeDraw::ExchangeDraw(const DrawnExchange& exchange, std::int64_t ranks)
    : exchange_(exchange), ranks_(ranks), drawn_(exchange.flows.size()) {
  for (const DrawnExchange::Flow& f : exchange.flows) {
    senders_.emplace_back(f.senders);
    receivers_.emplace_back(f.receivers);
  }
}

std::vector<DrawnMessage> ExchangeDraw::round(std::size_t flow, std::int64_t messages,
                                              std::uint64_t key) {
  const DrawnExchange::Flow& f = exchange_.flows[flow];
  const std::int64_t pairs = (messages + f.together - 1) / f.together;
  std::vector<std::int64_t> senders, receivers;
  for (std::int64_t i = 0; i < pairs; ++i) {
    senders.push_back(senders_[flow].next());
    receivers.push_back(receivers_[flow].next());
  }
  const Shuffle partners{pairs, key + 3}, ranks{ranks_, mixed(exchange_.seed + times_)};
  std::vector<DrawnMessage> out;
  for (std::int64_t i = 0; i < messages; ++i) {
    const std::int64_t pair = i / f.together;
    DrawnMessage m;
    m.sender = senders[static_cast<std::size_t>(pair)];
    m.receiver = receivers[static_cast<std::size_t>(partners.place_of(pair))];
    if (m.receiver == m.sender) m.receiver = (m.receiver + 1) % ranks_;
    if (exchange_.moves) {
      m.sender = ranks.place_of(m.sender);
      m.receiver = ranks.place_of(m.receiver);
    }
    m.bytes = share(f.sizes, drawn_[flow]++, exchange_.seed + 5 + flow);
    out.push_back(m);
  }
  return out;
}

std::vector<std::vector<DrawnMessage>> ExchangeDraw::next() {
  const std::int64_t n =
      share(exchange_.messages, static_cast<std::int64_t>(times_), exchange_.seed + 4);
  const std::int64_t all =
      std::accumulate(exchange_.rounds.begin(), exchange_.rounds.end(), std::int64_t{0});
  std::vector<std::vector<DrawnMessage>> out;
  std::int64_t before = 0;
  for (std::size_t r = 0; r < exchange_.rounds.size(); ++r) {
    const std::int64_t first = n * before / all, end = n * (before += exchange_.rounds[r]) / all;
    out.push_back(
        round(r % exchange_.flows.size(), end - first, mixed(mixed(exchange_.seed + times_) + r)));
  }
  ++times_;
  return out;
}

}  // namespace reprise::trace
