#include "analyze/program_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {
namespace {

using trace::Series;
using trace::SeriesFolder;
using trace::Term;
using trace::Trace;
using trace::Value;

class Parser {
 public:
  Trace parse(const std::string& text) {
    trace_.texts.emplace_back();
    trace_.mpi = "Test MPI 1.0";
    trace_.program = "./test";
    trace_.date = 1700000000;
    trace_.duration = 1500000;
    trace_.symbolized = true;
    std::istringstream lines(text);
    std::string line;
    std::vector<trace::Item*> open{&trace_.root};
    while (std::getline(lines, line)) {
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string::npos || line[indent] == '#') continue;
      line_ = line.substr(indent);
      at_ = 0;
      if (header()) continue;
      const std::size_t depth = indent / 2;
      if (depth + 1 > open.size()) fail("is indented too far");
      open.resize(depth + 1);
      open.back()->body.push_back(item());
      open.push_back(&open.back()->body.back());
    }
    if (compute_ > 0 || communicate_ > 0) add_times();
    return std::move(trace_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument(fmt::format("'{}' {} at {}", line_, why, at_));
  }

  bool header() {
    std::istringstream words(line_);
    std::string word;
    words >> word;
    if (word == "ranks") return bool(words >> trace_.ranks);
    if (word == "threads") return bool(words >> trace_.threads);
    if (word == "times") return bool(words >> compute_ >> communicate_);
    if (word == "symbolized") return bool(words >> trace_.symbolized);
    if (word == "program") return bool(std::getline(words >> std::ws, trace_.program));
    if (word == "lost") {
      trace::Loss& loss = trace_.losses.emplace_back();
      words >> loss.count;
      return bool(std::getline(words >> std::ws, loss.what));
    }
    return false;
  }

  char peek() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_spaces() {
    while (accept(' ')) {
    }
  }

  trace::Item item() {
    trace::Item item;
    if (!trace::find_function(line_.substr(0, line_.find(' ')))) {
      item.trips = value();
      if (!accept(':')) fail("has no colon behind its trip count");
      skip_spaces();
    }
    if (peek() == '\0') return item;
    item.call = static_cast<std::uint32_t>(trace_.calls.size());
    trace_.calls.push_back(call());
    return item;
  }

  std::string word(const char* end) {
    const std::size_t from = at_;
    while (peek() != '\0' && !std::strchr(end, peek())) ++at_;
    return line_.substr(from, at_ - from);
  }

  trace::Call call() {
    trace::Call out;
    const auto function = trace::find_function(word(" "));
    if (!function) fail("has an unknown function");
    out.function = *function;
    const trace::Function& f = trace::function(*function);
    for (const trace::Column& c : f.scalars) {
      const bool zero =
          c.kind == trace::Kind::polls || c.kind == trace::Kind::buffer || c.name == "comm";
      out.columns.push_back(Value::constant(zero ? 0 : trace::kNone));
    }
    for (std::size_t l = 0; l < 2 * f.lists.size(); ++l) out.columns.push_back(Value::constant(0));
    for (skip_spaces(); peek() != '\0' && peek() != '@'; skip_spaces()) {
      const std::string name = word("=");
      if (!accept('=')) fail("lacks a =");
      column(f, name, out);
    }
    if (accept('@'))
      out.callpath = callpath();
    else
      out.callpath = add_callpath({});
    return out;
  }

  void column(const trace::Function& f, const std::string& name, trace::Call& out) {
    for (std::size_t i = 0; i < f.scalars.size(); ++i) {
      if (f.scalars[i].name != name) continue;
      out.columns[i] = value();
      return;
    }
    for (std::size_t i = 0; i < f.lists.size(); ++i) {
      if (f.lists[i].name != name) continue;
      const std::size_t at = f.scalars.size() + 2 * i;
      return list(out.columns[at], out.columns[at + 1]);
    }
    fail("names no column of the function: " + name);
  }

  void list(Value& length, Value& elements) {
    std::vector<std::int64_t> numbers;
    if (accept('\'')) {
      for (const char c : word("'")) numbers.push_back(c);
      accept('\'');
    } else if (accept('(')) {
      if (line_.find(')', at_) + 1 < line_.size() &&
          std::strchr("{[", line_[line_.find(')', at_) + 1])) {
        length = value();
        accept(')');
        elements = value();
        return;
      }
      numbers = this->numbers(')');
    } else {
      fail("has a list without a parenthesis");
    }
    length = Value::constant(std::ssize(numbers));
    elements = {};
    elements.classes.push_back(repeat(numbers));
  }

  static Series repeat(const std::vector<std::int64_t>& numbers) {
    SeriesFolder folder;
    for (int pass = 0; pass < 4; ++pass) {
      for (const std::int64_t n : numbers) folder.append(n);
    }
    return folder.finish();
  }

  std::vector<std::int64_t> numbers(char end) {
    std::vector<std::int64_t> out;
    for (skip_spaces(); !accept(end); skip_spaces()) out.push_back(number());
    return out;
  }

  std::int64_t number() {
    const std::string w = word(" :)]}");
    for (std::int64_t k = 0; k < trace::kSpecialCount; ++k) {
      if (w == trace::special_name(trace::kSpecialBase + k)) return trace::kSpecialBase + k;
    }
    for (std::int64_t k = 0; k < trace::kFirstMadeType + 16; ++k) {
      if (w == trace::type_name(k)) return k;
    }
    for (std::int64_t k = 0; k < trace::kFirstMadeOp; ++k) {
      if (w == trace::op_name(k)) return k;
    }
    char* end = nullptr;
    const bool relative = w.starts_with("rank+");
    const long long v = std::strtoll(w.c_str() + (relative ? 5 : 0), &end, 10);
    is_relative_ |= relative;
    if (w.empty() || *end) fail("has no number: " + w);
    return v;
  }

  // The series in braces behind an opening one.
  Series series() {
    SeriesFolder folder;
    std::vector<std::int64_t> all;
    for (skip_spaces(); !accept('}'); skip_spaces()) {
      if (line_.compare(at_, 3, "...") == 0) {
        at_ += 3;
        skip_spaces();
        accept('}');
        return repeat(all);
      }
      all.push_back(number());
    }
    for (const std::int64_t n : all) folder.append(n);
    return folder.finish();
  }

  Value value() {
    Value v;
    is_relative_ = false;
    if (accept('{')) {
      v.classes.push_back(series());
      if (is_relative_) v.encoding = trace::Encoding::relative;
    } else if (accept('[')) {
      by_stream(v);
    } else if (line_.compare(at_, 4, "rank") == 0) {
      at_ += 4;
      v.encoding = peek() == '^' ? trace::Encoding::exclusive_or : trace::Encoding::relative;
      accept('^') || accept('+');
      std::int64_t n = peek() == ' ' || peek() == '\0' ? 0 : number();
      if (n < 0) n += static_cast<std::int64_t>(trace_.ranks);
      v.by_stream = Series::constant(n);
    } else {
      v = Value::constant(number());
    }
    return v;
  }

  void by_stream(Value& v) {
    std::vector<Series> all;
    for (skip_spaces(); !accept(']'); skip_spaces()) {
      if (accept('{')) {
        all.push_back(series());
        if (is_relative_) v.encoding = trace::Encoding::relative;
      } else if (line_.compare(at_, 4, "rank") == 0) {
        v.encoding = trace::Encoding::relative;
        all.push_back(value().by_stream);
      } else {
        all.push_back(Series::constant(number()));
      }
    }
    const bool constant = std::ranges::all_of(all, &Series::is_constant);
    SeriesFolder folder;
    for (const Series& s : all) {
      if (constant) {
        folder.append(s.at(0));
        continue;
      }
      const auto known = std::ranges::find(v.classes, s);
      folder.append(known - v.classes.begin());
      if (known == v.classes.end()) v.classes.push_back(s);
    }
    v.by_stream = folder.finish();
  }

  // "main a.c:9 > put b.c:3", the outermost first.
  std::uint32_t callpath() {
    std::vector<std::uint32_t> path;
    do {
      skip_spaces();
      trace::Frame f;
      f.function = text(word(" "));
      skip_spaces();
      f.file = text(word(":"));
      accept(':');
      f.line = static_cast<std::uint32_t>(std::stoul(word(" >")));
      skip_spaces();
      path.insert(path.begin(), static_cast<std::uint32_t>(trace_.frames.size()));
      trace_.frames.push_back(f);
    } while (accept('>'));
    return add_callpath(path);
  }

  std::uint32_t add_callpath(std::vector<std::uint32_t> path) {
    trace_.callpaths.push_back(std::move(path));
    return static_cast<std::uint32_t>(trace_.callpaths.size() - 1);
  }

  std::uint32_t text(const std::string& t) {
    const auto [entry, is_new] = texts_.emplace(t, static_cast<std::uint32_t>(trace_.texts.size()));
    if (is_new) trace_.texts.push_back(t);
    return entry->second;
  }

  // The same durations for all executions.
  void add_times() {
    trace_.timing.mode = trace::TimeMode::histogram;
    std::vector<std::vector<std::int64_t>> executions(
        trace_.calls.size(), std::vector<std::int64_t>(trace_.streams(), 0));
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      trace::Cursor cursor(trace_, s);
      while (cursor.next()) ++executions[cursor.event().call][s];
    }
    for (const std::vector<std::int64_t>& by_stream : executions) {
      trace::CallTimes times{.communicate = delta(by_stream, communicate_),
                             .paths = {},
                             .arrivals = Value::constant(0)};
      times.paths.push_back({.compute = delta(by_stream, compute_), .modes = {}, .mode_of = {}});
      trace_.times.push_back(std::move(times));
    }
  }

  static trace::DeltaTimes delta(const std::vector<std::int64_t>& executions, std::int64_t ns) {
    trace::Histogram histogram;
    SeriesFolder counts, sums;
    for (const std::int64_t n : executions) {
      for (std::int64_t k = 0; k < n; ++k) histogram.add(ns);
      counts.append(n);
      sums.append(n * ns);
    }
    trace::DeltaTimes out;
    if (!histogram.empty()) out.classes.push_back(histogram);
    out.counts = counts.finish();
    out.sums = sums.finish();
    return out;
  }

  Trace trace_;
  std::int64_t compute_ = 0, communicate_ = 0;  // [ns]
  std::map<std::string, std::uint32_t> texts_;
  std::string line_;
  std::size_t at_ = 0;
  bool is_relative_ = false;  // a number of the value was
};

}  // namespace

Trace parse_program(const std::string& text) { return Parser().parse(text); }

}  // namespace reprise::analyze
