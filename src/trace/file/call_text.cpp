#include "trace/file/call_text.hpp"

#include <charconv>
#include <map>
#include <string>

#include "base/printable.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/calls/requests.hpp"
#include "trace/series/series.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

constexpr std::size_t kMostShown = 40;  // characters of a damaged value in a message

using Numbers = std::map<std::string, std::int64_t, std::less<>>;

const Numbers& special_numbers() {
  static const Numbers numbers = [] {
    Numbers out;
    for (std::int64_t k = 0; k < kSpecialCount; ++k) {
      if (const std::string_view name = special_name(kSpecialBase + k); !name.empty())
        out.emplace(name, kSpecialBase + k);
    }
    return out;
  }();
  return numbers;
}

// By name, those of the numbers below `end` that have one.
template <class NameOf>
Numbers predefined_numbers(std::int64_t end, const NameOf& name_of) {
  Numbers out;
  for (std::int64_t k = 0; k < end; ++k) {
    const std::string name = name_of(k);
    if (name.starts_with("MPI")) out.emplace(name, k);
  }
  return out;
}

bool read_integer(std::string_view text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "MPI_INT", or "type3".
bool read_object(std::string_view text, const Numbers& predefined, std::string_view prefix,
                 std::int64_t first, std::int64_t& out) {
  if (const auto known = predefined.find(text); known != predefined.end()) {
    out = known->second;
    return true;
  }
  std::int64_t made = 0;
  if (!text.starts_with(prefix) || !read_integer(text.substr(prefix.size()), made)) return false;
  out = wrapping_add(made, first);
  return true;
}

// "2", or "thread0/17".
bool read_request(std::string_view text, std::int64_t& out) {
  constexpr std::string_view kThread = "thread";
  if (!text.starts_with(kThread)) return read_integer(text, out) && out >= 0;
  const std::size_t slash = text.find('/');
  ThreadRequest r{};
  if (slash == std::string_view::npos ||
      !read_integer(text.substr(kThread.size(), slash - kThread.size()), r.thread) ||
      !read_integer(text.substr(slash + 1), r.serial)) {
    return false;
  }
  constexpr std::int64_t kMostSerial =
      std::numeric_limits<std::int64_t>::max() / kMaxRequestThreads - 1;
  if (r.thread < 0 || r.thread >= kMaxRequestThreads || r.serial < 0 || r.serial > kMostSerial)
    return false;
  out = encode_request(r);
  return true;
}

bool read_comm(std::string_view text, const CommNumbering& number_of, std::int64_t& out) {
  if (text == "comm:world" || text == "0") {
    out = kWorld;
  } else if (text == "comm:self" || text == "1") {
    out = kSelf;
  } else {
    std::int64_t number = 0;
    if (!text.starts_with("comm:") && !read_integer(text, number)) return false;
    out = number_of(text);
  }
  return true;
}

bool read_value(std::string_view text, Kind kind, const CommNumbering& number_of,
                std::int64_t& out) {
  static const Numbers types = predefined_numbers(kFirstMadeType, type_name);
  static const Numbers ops = predefined_numbers(kFirstMadeOp, op_name);
  if (text.empty()) return false;
  const bool is_number = (text[0] >= '0' && text[0] <= '9') || (text[0] == '-' && text.size() > 1);
  if (!is_number) {
    const Numbers& special = special_numbers();
    if (const auto known = special.find(text); known != special.end()) {
      out = known->second;
      return true;
    }
  }
  switch (kind) {
    case Kind::comm: return read_comm(text, number_of, out);
    case Kind::datatype:
      return read_object(text, types, "type", kFirstMadeType, out) || read_integer(text, out);
    case Kind::op:
      return read_object(text, ops, "op", kFirstMadeOp, out) || read_integer(text, out);
    case Kind::request: return read_request(text, out) || (is_number && read_integer(text, out));
    default: return read_integer(text, out);
  }
}

class LineReader {
 public:
  LineReader(std::string_view line, const CommNumbering& number_of, LogColumns columns)
      : rest_(line), number_of_(number_of), columns_(columns) {}

  Status read(Event& event) {
    const std::string_view name = take_until(' ');
    const auto found = find_function(name);
    if (!found) return Error{"no function is called " + shown(name)};
    const Function& f = function(*found);
    event.function = &f;
    event.scalars.resize(f.scalars.size());
    event.lists.resize(f.lists.size());
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      if (!take_name(f.scalars[c])) {
        if (columns_ == LogColumns::all) return missing(f, f.scalars[c]);
        event.scalars[c] = default_of(f.scalars[c]);
        continue;
      }
      const std::string_view text = take_until(' ');
      if (!read_value(text, f.scalars[c].kind, number_of_, event.scalars[c]))
        return bad_value(f, f.scalars[c], text);
    }
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      const bool has_name = take_name(f.lists[l]);
      if (!has_name && columns_ == LogColumns::some) {
        event.lists[l].clear();
        continue;
      }
      if (!has_name || !rest_.starts_with('[')) return missing(f, f.lists[l]);
      rest_.remove_prefix(1);
      const std::size_t end = rest_.find(']');
      if (end == std::string_view::npos) return missing(f, f.lists[l]);
      std::string_view elements = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
      if (const Status read = read_list(f, f.lists[l], elements, event.lists[l]); !read)
        return read;
    }
    if (!rest_.empty()) return Error{std::string(f.name) + " is followed by " + shown(rest_)};
    return {};
  }

 private:
  static std::string shown(std::string_view text) {
    return "\"" + printable(std::string(text.substr(0, kMostShown))) + "\"";
  }
  static Error missing(const Function& f, const Column& column) {
    return Error{std::string(f.name) + " lacks " + std::string(column.name)};
  }
  static Error bad_value(const Function& f, const Column& column, std::string_view text) {
    return Error{std::string(f.name) + " cannot have " + std::string(column.name) + "=" +
                 shown(text)};
  }

  // What comes before a character, which is skipped.
  std::string_view take_until(char end) {
    const std::size_t at = std::min(rest_.find(end), rest_.size());
    const std::string_view out = rest_.substr(0, at);
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    return out;
  }

  bool take_name(const Column& column) {
    if (!rest_.starts_with(column.name) || rest_.size() == column.name.size() ||
        rest_[column.name.size()] != '=') {
      return false;
    }
    rest_.remove_prefix(column.name.size() + 1);
    return true;
  }

  Status read_list(const Function& f, const Column& column, std::string_view elements,
                   std::vector<std::int64_t>& out) const {
    out.clear();
    while (!elements.empty()) {
      const std::size_t comma = std::min(elements.find(','), elements.size());
      const std::string_view text = elements.substr(0, comma);
      const bool is_last = comma == elements.size();
      elements.remove_prefix(is_last ? comma : comma + 1);
      if (std::ssize(out) == kMaxList || (!is_last && elements.empty()))
        return bad_value(f, column, text);
      if (!read_value(text, column.kind, number_of_, out.emplace_back()))
        return bad_value(f, column, text);
    }
    return {};
  }

  std::string_view rest_;
  const CommNumbering& number_of_;
  LogColumns columns_;
};

std::int64_t number_named(const Numbers& numbers, std::string_view name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? 0 : found->second;
}

}  // namespace

std::int64_t default_of(const Column& column) {
  static const std::int64_t bytes =
      number_named(predefined_numbers(kFirstMadeType, type_name), "MPI_BYTE");
  static const std::int64_t reduction =
      number_named(predefined_numbers(kFirstMadeOp, op_name), "MPI_BOR");
  if (column.name.starts_with("matched_")) return kNone;
  switch (column.kind) {
    case Kind::peer: return kProcNull;
    case Kind::matched: return kNone;
    case Kind::datatype: return bytes;
    case Kind::op: return reduction;
    case Kind::request:
    case Kind::message: return kNull;
    default: return 0;
  }
}

Status parse_call(std::string_view line, const CommNumbering& number_of, Event& event,
                  LogColumns columns) {
  return LineReader(line, number_of, columns).read(event);
}

}  // namespace reprise::trace
