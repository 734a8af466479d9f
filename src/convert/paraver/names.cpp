#include "convert/paraver/names.hpp"

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/paraver/line_reader.hpp"
#include "convert/paraver/mpi_values.hpp"

namespace reprise::convert::paraver {
namespace {

constexpr std::string_view kBlank = " \t";

// Takes a number off the front of a text, with the blanks around it.
bool take_word(std::string_view& text, std::int64_t& out) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || (!text.empty() && kBlank.find(text[0]) == std::string_view::npos))
    return false;
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return true;
}

// "solve(int)" of "solve [solve(int)]": what is in brackets is not cut short.
std::string_view long_label(std::string_view label) {
  const std::size_t at = label.find(" [");
  if (at == std::string_view::npos || !label.ends_with(']')) return label;
  return label.substr(at + 2, label.size() - at - 3);
}

struct FileLine {
  std::string file;
  std::uint32_t line = 0;
};

// "heat.c:12 [src/heat.c:12, app]"; older ones are "12 (heat.c, app)".
FileLine parse_line(std::string_view label) {
  constexpr std::string_view kUnknown = "Unresolved";
  FileLine out;
  std::string_view file = label, line;
  if (const std::size_t open = label.find(" ("); open != std::string_view::npos) {
    line = label.substr(0, open);
    file = label.substr(open + 2);
    file = file.substr(0, file.find_first_of(",)"));
  } else {
    file = long_label(label);
    file = file.substr(0, file.find(", "));
    const std::size_t colon = file.rfind(':');
    if (colon == std::string_view::npos) return out;
    line = file.substr(colon + 1);
    file = file.substr(0, colon);
  }
  if (std::from_chars(line.data(), line.data() + line.size(), out.line).ec != std::errc())
    return {};
  if (file.find(kUnknown) == std::string_view::npos) out.file = file;
  return out;
}

bool is_call_type(std::int64_t type) {
  return type >= static_cast<std::int64_t>(CallType::point_to_point) &&
         type <= static_cast<std::int64_t>(CallType::io);
}

bool is_level(std::int64_t type, std::uint32_t first) {
  return type >= first && type <= first + kMostLevels;
}

}  // namespace

void Names::add(std::uint32_t type, std::int64_t value, const std::string& name) {
  if (is_call_type(type)) calls_[type].emplace(value, name);
  if (is_level(type, kCaller)) functions_.emplace(value, long_label(name));
  if (is_level(type, kCallerLine)) lines_.emplace(value, name);
}

Names Names::read(const std::string& path) {
  enum class Section { other, types, values };
  Names out;
  LineReader reader(path);
  Section section = Section::other;
  std::vector<std::uint32_t> types;
  while (reader.next()) {
    std::string_view line = reader.line();
    std::int64_t first = 0, type = 0;
    if (line.starts_with("EVENT_TYPE")) {
      section = Section::types;
      types.clear();
    } else if (line.starts_with("VALUES")) {
      section = Section::values;
    } else if (!take_word(line, first)) {
      section = Section::other;
    } else if (section == Section::types && take_word(line, type)) {
      if (is_call_type(type) || is_level(type, kCaller) || is_level(type, kCallerLine))
        types.push_back(static_cast<std::uint32_t>(type));
    } else if (section == Section::values && !types.empty()) {
      // Levels share their names.
      const bool shares = is_level(types[0], kCaller) || is_level(types[0], kCallerLine);
      for (std::size_t t = 0; t < (shares ? 1 : types.size()); ++t)
        out.add(types[t], first, std::string(line));
    }
  }
  return out;
}

std::optional<trace::FunctionId> Names::function(std::uint32_t type, std::int64_t value) const {
  if (const auto of_type = calls_.find(type); of_type != calls_.end()) {
    const auto name = of_type->second.find(value);
    if (name != of_type->second.end())
      if (const auto found = trace::find_function(name->second)) return found;
  }
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return trace::find_function(name_of_value(static_cast<std::uint32_t>(value)));
}

SourceRegion Names::caller(std::int64_t function, std::int64_t line) const {
  SourceRegion out;
  const auto name = functions_.find(function);
  out.name = name == functions_.end() ? "function " + std::to_string(function) : name->second;
  if (const auto place = lines_.find(line); place != lines_.end()) {
    const FileLine parsed = parse_line(place->second);
    out.file = parsed.file;
    out.line = parsed.file.empty() ? 0 : parsed.line;
  }
  return out;
}

}  // namespace reprise::convert::paraver
