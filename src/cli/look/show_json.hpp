// reprise show --json: one document, whatever it is asked for; docs/show_json.md is its schema.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "trace/program.hpp"

namespace reprise::cli {

// The program of all streams, with its times.
nlohmann::ordered_json program_document(const trace::Trace& trace);
// Prints that.
void print_program_json(const trace::Trace& trace);

// The explained program of each stream, or its calls in order if `flat`. False: the trace is
// damaged, and the document ends early.
bool print_streams_json(const trace::Trace& trace, const std::vector<std::uint64_t>& streams,
                        bool flat);

}  // namespace reprise::cli
