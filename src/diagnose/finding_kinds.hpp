// The kinds of findings: stable identifiers, what they mean, and what to do about them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "simulate/results/delays.hpp"

namespace reprise::diagnose {

enum class FindingKind : std::uint8_t {
  late_sender,
  late_receiver,
  early_reduce,
  late_broadcast,
  wait_at_barrier,
  wait_at_nxn,
  early_scan,
  wait_at_window,
  imbalance,
  long_executions,
  serial_phase,
  drift,
  receiver_contention,
  serialized_fan_out,
  bad_mapping,
  needless_barrier,
  variation,
  latency,
  bandwidth,
};
inline constexpr std::size_t kFindingKinds = 19;

// The texts stand for themselves; docs/analysis.md has them too.
struct FindingText {
  std::string_view id;          // "late-sender"
  std::string_view title;       // "late sender"
  std::string_view definition;  // sentences
  std::string_view cost;        // how it is found out, a sentence
  std::string_view advice;      // what to do, a sentence
};

const FindingText& text_of(FindingKind kind);
// Whether it is of the whole run, and its call the place that has most of it.
bool is_of_run(FindingKind kind);
std::optional<FindingKind> find_finding(std::string_view id);
FindingKind kind_of(simulate::WaitState state);

}  // namespace reprise::diagnose
