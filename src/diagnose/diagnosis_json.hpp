// A diagnosis for other programs. docs/analysis.md describes the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "diagnose/diagnosis.hpp"
#include "diagnose/scaling.hpp"

namespace reprise::diagnose {

// Version of the fields, which are only added to while it stays the same.
inline constexpr int kJsonVersion = 1;

nlohmann::ordered_json json_of(const trace::Trace& trace, const Diagnosis& diagnosis);
nlohmann::ordered_json json_of(const Scaling& scaling);

}  // namespace reprise::diagnose
