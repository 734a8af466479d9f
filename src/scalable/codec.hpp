// A scalable trace as what a trace file holds, and back: docs/trace_format.md has the section of
// laws in words; the two change together.
#pragma once

#include <string>

#include "base/result.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

inline constexpr std::uint64_t kLawsVersion = 2;

bool is_scalable(const trace::Trace& trace);

// The frame with a section of laws.
trace::Trace encode(const ScalableTrace& scalable);

// `name` is what messages call the file. The bytes are not trusted.
Result<ScalableTrace> decode(const trace::Trace& trace, const std::string& name);

}  // namespace reprise::scalable
