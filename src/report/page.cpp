#include "report/page.hpp"

#include <cstdint>

#include "base/contract.hpp"

// The page that bundle.py made, as it is.
asm(".section .rodata\n"
    ".global reprise_report_page\n"
    ".global reprise_report_page_end\n"
    ".hidden reprise_report_page\n"
    ".hidden reprise_report_page_end\n"
    "reprise_report_page:\n"
    ".incbin \"" REPRISE_PAGE
    "\"\n"
    "reprise_report_page_end:\n"
    ".byte 0\n"
    ".text\n");
extern "C" const char reprise_report_page[];
extern "C" const char reprise_report_page_end[];

namespace reprise::report {
namespace {

// Where the two are to stand; bundle.py has the same words.
constexpr std::string_view kData = "@REPRISE_DATA@";
constexpr std::string_view kTrace = "@REPRISE_TRACE@";
constexpr std::string_view kEngine = "id=\"engine\"";

std::string_view page() { return {reprise_report_page, reprise_report_page_end}; }

// JSON that no HTML can be in: within a script element only "</" and "<!--" mean anything.
std::string escaped(const nlohmann::ordered_json& data) {
  const std::string text =
      data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

bool has_engine() { return page().find(kEngine) != std::string_view::npos; }

std::string base64_of(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < n ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[bits >> (18 - 6 * k) & 63u] : '=';
  }
  return out;
}

std::string page_of(const nlohmann::ordered_json& data, std::span<const std::uint8_t> body) {
  const std::string_view whole = page();
  const std::size_t at_data = whole.find(kData), at_trace = whole.find(kTrace);
  REPRISE_REQUIRE(at_data < at_trace && at_trace != std::string_view::npos);
  std::string out(whole.substr(0, at_data));
  out += escaped(data);
  out += whole.substr(at_data + kData.size(), at_trace - at_data - kData.size());
  out += base64_of(body);
  out += whole.substr(at_trace + kTrace.size());
  return out;
}

}  // namespace reprise::report
