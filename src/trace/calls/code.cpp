#include "trace/calls/code.hpp"

#include <algorithm>

namespace reprise::trace {
namespace {

// Of all call paths together: they share in the file, but not in memory.
constexpr std::size_t kMaxPathPoints = std::size_t{1} << 26;

std::uint64_t plus_one(std::uint32_t loop) {
  return loop == CodeFunction::kNoLoop ? 0 : std::uint64_t{loop} + 1;
}

// A loop out of `loops`, plus 1; or 0 for none.
std::uint32_t as_loop(ByteReader& in, std::uint64_t value, std::size_t loops) {
  if (value > loops) in.fail("a loop that is not there");
  return value == 0 || in.failed() ? CodeFunction::kNoLoop : static_cast<std::uint32_t>(value - 1);
}

void encode_function(ByteWriter& out, const CodeFunction& f) {
  out.varint(std::uint64_t{f.loops.size()} << 1 | (f.is_known ? 1 : 0));
  for (std::size_t l = 0; l < f.loops.size(); ++l) {
    const std::uint64_t parent = plus_one(f.loops[l]);
    if (l >= f.trips.size() || f.trips[l] == 0) {
      out.varint(parent);
      continue;
    }
    out.varint(f.loops.size() + 1 + parent);
    out.varint(f.trips[l]);
  }
  out.varint(f.points.size());
  for (const std::uint32_t loop : f.points) out.varint(plus_one(loop));
  out.varint(f.exclusive.size());
  std::uint32_t before = 0;
  for (const auto& [first, second] : f.exclusive) {
    out.varint(first - before);
    out.varint(second - first);
    before = first;
  }
}

CodeFunction decode_function(ByteReader& in) {
  CodeFunction f;
  const std::uint64_t head = in.varint();
  f.is_known = (head & 1) != 0;
  const std::uint64_t loops = head >> 1;
  for (std::uint64_t n = loops; n > 0 && !in.failed(); --n) {
    if (!in.affords<std::uint32_t>(1)) break;
    const std::uint64_t parent = in.varint();
    const bool has_trips = parent > loops;
    f.loops.push_back(as_loop(in, has_trips ? parent - loops - 1 : parent, f.loops.size()));
    if (!has_trips) continue;
    if (!in.affords<std::uint64_t>(f.loops.size() - f.trips.size())) break;
    f.trips.resize(f.loops.size());
    f.trips.back() = in.varint();
  }
  for (std::size_t n = in.count_of<std::uint32_t>(); n > 0 && !in.failed(); --n) {
    f.points.push_back(as_loop(in, in.varint(), f.loops.size()));
  }
  std::uint64_t first = 0;
  for (std::size_t n = in.count_of<std::uint64_t>(2); n > 0 && !in.failed(); --n) {
    const std::uint64_t step = in.varint(), distance = in.varint();
    if (step >= f.points.size() - first || distance >= f.points.size() - first - step) {
      in.fail("a call that is not in its function");
      break;
    }
    first += step;
    f.exclusive.emplace_back(first, first + distance);
  }
  if (!std::ranges::is_sorted(f.exclusive)) in.fail("calls that are out of order");
  return f;
}

// `path`: the one before, of which the outer frames are shared.
void decode_path(ByteReader& in, const std::vector<CodeFunction>& functions, CodePath& path) {
  const std::uint64_t shared = in.varint();
  if (shared > path.size()) return in.fail("a call path shares more than there is");
  path.resize(static_cast<std::size_t>(shared));
  for (std::size_t own = in.count_of<CodePoint>(2); own > 0 && !in.failed(); --own) {
    const std::uint64_t function = in.varint(), point = in.varint();
    if (function >= functions.size() || point >= functions[function].points.size())
      return in.fail("a call that is not in its function");
    path.push_back({static_cast<std::uint32_t>(function), static_cast<std::uint32_t>(point)});
  }
}

}  // namespace

void encode_code(ByteWriter& out, const Code& code) {
  out.varint(code.functions.size());
  for (const CodeFunction& f : code.functions) encode_function(out, f);
  out.varint(code.paths.size());
  CodePath before;
  for (const std::vector<CodePath>& copies : code.paths) {
    out.varint(copies.size());
    for (const CodePath& path : copies) {
      const auto fork = std::ranges::mismatch(before, path).in2;
      out.varint(static_cast<std::uint64_t>(fork - path.begin()));
      out.varint(static_cast<std::uint64_t>(path.end() - fork));
      for (auto p = fork; p != path.end(); ++p) {
        out.varint(p->function);
        out.varint(p->point);
      }
      before = path;
    }
  }
}

Code decode_code(ByteReader& in) {
  Code code;
  for (std::size_t n = in.count_of<CodeFunction>(3); n > 0 && !in.failed(); --n) {
    code.functions.push_back(decode_function(in));
  }
  CodePath path;
  std::size_t total = 0;
  for (std::size_t n = in.count_of<std::vector<CodePath>>(); n > 0 && !in.failed(); --n) {
    std::vector<CodePath>& copies = code.paths.emplace_back();
    for (std::size_t c = in.count_of<CodePath>(2); c > 0 && !in.failed(); --c) {
      decode_path(in, code.functions, path);
      total += path.size();
      if (total > kMaxPathPoints) return in.fail("the call paths are too long"), code;
      copies.push_back(path);
    }
  }
  return code;
}

}  // namespace reprise::trace
