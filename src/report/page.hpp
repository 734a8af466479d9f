// The page of `reprise report`: one file of HTML that holds a trace, what is known of it, and an
// engine that draws and simulates it in a browser. It reaches for nothing else.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace reprise::report {

// Whether this program was built with an engine for its pages.
bool has_engine();

// `data`: page_data() and what else the page shows. `body`: the trace as encode_body() has it.
std::string page_of(const nlohmann::ordered_json& data, std::span<const std::uint8_t> body);

// As it stands within HTML.
std::string base64_of(std::span<const std::uint8_t> bytes);

}  // namespace reprise::report
