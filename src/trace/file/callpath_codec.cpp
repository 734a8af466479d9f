#include "trace/file/callpath_codec.hpp"

#include <algorithm>

namespace reprise::trace {
namespace {

// Of all call paths together: they share in the file, but not in memory.
constexpr std::size_t kMaxPathFrames = std::size_t{1} << 26;

}  // namespace

void encode_frame(ByteWriter& out, const Frame& f) {
  if (f.line != 0) {
    out.varint(std::uint64_t{f.function} << 1 | 1);
    out.varint(f.file);
    out.varint(f.line);
  } else {
    out.varint(std::uint64_t{f.module} << 1);
    out.varint(f.offset);
    out.varint(f.function);
  }
}

Frame decode_frame(ByteReader& in, const Trace& trace) {
  Frame f;
  const std::uint64_t head = in.varint();
  std::uint64_t module = 0, function = 0, file = 0;
  if (head & 1) {
    function = head >> 1;
    file = in.varint();
    f.line = static_cast<std::uint32_t>(in.varint());
    if (f.line == 0) in.fail("a line that is not there");
  } else {
    module = head >> 1;
    f.offset = in.varint();
    function = in.varint();
    if (module >= trace.modules.size()) in.fail("a module that is not there");
  }
  if (function >= trace.texts.size() || file >= trace.texts.size())
    in.fail("a text that is not there");
  f.module = static_cast<std::uint32_t>(module);
  f.function = static_cast<std::uint32_t>(function);
  f.file = static_cast<std::uint32_t>(file);
  return f;
}

void encode_callpaths(ByteWriter& out, const Trace& trace) {
  std::vector<std::uint32_t> before;
  for (const std::vector<std::uint32_t>& inner_first : trace.callpaths) {
    std::vector<std::uint32_t> path(inner_first.rbegin(), inner_first.rend());
    const auto fork = std::ranges::mismatch(before, path).in2;
    out.varint(static_cast<std::uint64_t>(fork - path.begin()));
    out.varint(static_cast<std::uint64_t>(path.end() - fork));
    for (auto i = fork; i != path.end(); ++i) out.varint(*i);
    before = std::move(path);
  }
}

void decode_callpaths(ByteReader& in, std::size_t n, Trace& trace) {
  std::vector<std::uint32_t> path;
  std::size_t total = 0;
  trace.callpaths.reserve(n);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    const std::uint64_t shared = in.varint();
    if (shared > path.size()) return in.fail("a call path shares more than there is");
    path.resize(static_cast<std::size_t>(shared));
    for (std::size_t own = in.count_of<std::uint32_t>(); own > 0 && !in.failed(); --own) {
      const std::uint64_t frame = in.varint();
      if (frame >= trace.frames.size()) return in.fail("a frame that is not there");
      path.push_back(static_cast<std::uint32_t>(frame));
    }
    total += path.size();
    if (total > kMaxPathFrames) return in.fail("the call paths are too long");
    if (!in.affords<std::uint32_t>(path.size())) return;
    trace.callpaths.emplace_back(path.rbegin(), path.rend());
  }
}

}  // namespace reprise::trace
