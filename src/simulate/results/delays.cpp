#include "simulate/results/delays.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "simulate/lower/call_shape.hpp"

namespace reprise::simulate {
namespace {

constexpr std::array<std::string_view, kWaitStates> kNames = {
    "late-sender",     "late-receiver", "early-reduce", "late-broadcast",
    "wait-at-barrier", "wait-at-nxn",   "early-scan",   "wait-at-window"};

WaitState wait_state_of(Collective kind) {
  switch (kind) {
    case Collective::barrier: return WaitState::wait_at_barrier;
    case Collective::bcast:
    case Collective::scatter: return WaitState::late_broadcast;
    case Collective::gather:
    case Collective::reduce: return WaitState::early_reduce;
    case Collective::scan: return WaitState::early_scan;
    default: return WaitState::wait_at_nxn;
  }
}

bool is_of_messages(WaitState state) {
  return state == WaitState::late_sender || state == WaitState::late_receiver;
}

Picoseconds part_of(Picoseconds whole, Picoseconds part, Picoseconds all) {
  return std::llround(static_cast<double>(whole) * static_cast<double>(part) /
                      static_cast<double>(all));
}

template <class T>
void gain(std::vector<T>& now, const std::vector<T>* before, std::int64_t times) {
  for (std::size_t s = 0; s < now.size(); ++s)
    now[s] += static_cast<T>(times) * (now[s] - (before ? (*before)[s] : 0));
}

}  // namespace

std::string_view name_of(WaitState state) { return kNames[static_cast<std::size_t>(state)]; }

WaitState wait_state_of(trace::FunctionId function, bool receives) {
  using Family = CallShape::Family;
  const CallShape& shape = shape_of(function);
  switch (shape.family) {
    case Family::collective: return wait_state_of(*shape.collective);
    case Family::make_comm:
    case Family::make_window:
    case Family::open_file:
    case Family::file: return WaitState::wait_at_nxn;
    case Family::fence:
    case Family::access:
    case Family::settle:
    case Family::epoch:
    case Family::lock: return WaitState::wait_at_window;
    default: return receives ? WaitState::late_sender : WaitState::late_receiver;
  }
}

DelaySite& DelayLedger::site(WaitState state, std::uint32_t call) {
  const std::uint64_t key = std::uint64_t{call} * kWaitStates + static_cast<std::uint64_t>(state);
  const auto [at, is_new] = site_of_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back({state, call, std::vector<Picoseconds>(streams_), {}});
  return sites_[at->second];
}

// Null: there are too many.
DelayCause* DelayLedger::cause(DelaySite& site, std::uint32_t call, bool is_communication) {
  for (DelayCause& c : site.causes) {
    if (c.call == call && c.is_communication == is_communication) return &c;
  }
  if (cause_numbers_ + 2 * streams_ > kMostCauseNumbers) return nullptr;
  cause_numbers_ += 2 * streams_;
  return &site.causes.emplace_back(DelayCause{
      call, is_communication, std::vector<Picoseconds>(streams_), std::vector<double>(streams_)});
}

// By call: what is on the path to `until` beyond what is on the path to `own`.
void DelayLedger::compare(const DelayClock& own, const DelayClock& until) {
  for (const std::uint32_t call : touched_) computation_[call] = communication_[call] = {};
  touched_.clear();
  computation_.resize(calls_);
  communication_.resize(calls_);
  until.shares.for_each_difference(
      own.shares, [&](std::uint64_t share, const PathShare& its, const PathShare& mine) {
        const auto call = static_cast<std::uint32_t>(share % calls_);
        const auto stream = static_cast<std::uint32_t>(share / calls_);
        const auto add = [&](Excess& excess, Picoseconds more) {
          excess.sum += more;
          if (more > 0) excess.culprits.emplace_back(stream, more);
        };
        touched_.push_back(call);
        add(computation_[call], its.compute - mine.compute);
        add(communication_[call], its.latency + its.transfer - mine.latency - mine.transfer);
      });
  std::ranges::sort(touched_);
  const auto rest = std::ranges::unique(touched_);
  touched_.erase(rest.begin(), rest.end());
}

// Shares an amount out among the calls that have more on the other's path, and at each among those
// who did more there.
void DelayLedger::charge(DelaySite& site, std::uint64_t waiter, bool is_communication,
                         Picoseconds amount) {
  Picoseconds all = 0;
  for (const std::uint32_t call : touched_)
    all += std::max<Picoseconds>(0, excess(is_communication)[call].sum);
  if (amount <= 0 || all <= 0) return;
  for (const std::uint32_t call : touched_) {
    const Excess& excess = this->excess(is_communication)[call];
    if (excess.sum <= 0) continue;
    const Picoseconds share = part_of(amount, excess.sum, all);
    DelayCause* const c = cause(site, call, is_communication);
    if (!c) continue;
    c->by_waiter[waiter] += share;
    Picoseconds of_culprits = 0;
    for (const auto& [stream, more] : excess.culprits) of_culprits += more;
    for (const auto& [stream, more] : excess.culprits)
      c->by_culprit[stream] +=
          static_cast<double>(share) * static_cast<double>(more) / static_cast<double>(of_culprits);
  }
}

void DelayLedger::waits(WaitState state, std::uint32_t call, std::uint64_t stream,
                        const DelayClock& own, const DelayClock& until, Picoseconds on_wire) {
  const Picoseconds waited = until.time - own.time - on_wire;
  if (waited <= 0) return;
  compare(own, until);
  Picoseconds computed = 0;
  for (const std::uint32_t c : touched_) computed += computation_[c].sum;
  computed = std::clamp<Picoseconds>(computed, 0, waited);
  // What messages of a collective take is not a wait but the collective.
  const bool counts_messages = is_of_messages(state);
  if (!counts_messages && computed == 0) return;
  DelaySite& at = site(state, call);
  at.by_stream[stream] += counts_messages ? waited : computed;
  charge(at, stream, false, computed);
  if (counts_messages) charge(at, stream, true, waited - computed);
}

bool DelayLedger::sends(std::uint32_t call, std::uint32_t from, std::uint32_t to,
                        std::int64_t bytes) {
  if (sent_.size() <= from) sent_.resize(from + 1);
  const auto [at, is_new] = sent_[from].try_emplace(std::uint64_t{call} << 32 | to);
  if (is_new && ++pairs_ > kMostPairs) return false;
  ++at->second.messages;
  at->second.bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes));
  return true;
}

void DelayLedger::extrapolate(const DelayLedger& before, std::int64_t times) {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    DelaySite& site = sites_[i];
    const DelaySite* const old = i < before.sites_.size() ? &before.sites_[i] : nullptr;
    gain(site.by_stream, old ? &old->by_stream : nullptr, times);
    for (std::size_t c = 0; c < site.causes.size(); ++c) {
      const DelayCause* const was = old && c < old->causes.size() ? &old->causes[c] : nullptr;
      gain(site.causes[c].by_waiter, was ? &was->by_waiter : nullptr, times);
      gain(site.causes[c].by_culprit, was ? &was->by_culprit : nullptr, times);
    }
  }
  const auto n = static_cast<std::uint64_t>(times);
  for (std::size_t from = 0; from < sent_.size(); ++from) {
    for (auto& [key, amount] : sent_[from]) {
      Amount old;
      if (from < before.sent_.size()) {
        if (const auto found = before.sent_[from].find(key); found != before.sent_[from].end())
          old = found->second;
      }
      amount.messages += n * (amount.messages - old.messages);
      amount.bytes += n * (amount.bytes - old.bytes);
    }
  }
}

std::vector<Traffic> DelayLedger::traffic() const {
  std::vector<Traffic> out;
  for (std::uint32_t from = 0; from < sent_.size(); ++from) {
    for (const auto& [key, amount] : sent_[from])
      out.push_back({static_cast<std::uint32_t>(key >> 32), from, static_cast<std::uint32_t>(key),
                     amount.messages, amount.bytes});
  }
  std::ranges::sort(out, {}, [](const Traffic& t) { return std::tuple(t.call, t.from, t.to); });
  return out;
}

}  // namespace reprise::simulate
