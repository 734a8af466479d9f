#include "trace/calls/places.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "trace/calls/function_names.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::trace {
namespace {

// Behind the function's name.
std::string location_of(const Trace& trace, const Frame& f) {
  if (f.line != 0) return " " + printable(trace.texts[f.file]) + ":" + std::to_string(f.line);
  const std::string module =
      f.module < trace.modules.size() ? trace.modules[f.module].path : std::string();
  if (module.empty()) return {};  // a region that another tool named
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string offset;
  for (std::uint64_t rest = f.offset; rest > 0 || offset.empty(); rest >>= 4)
    offset.insert(offset.begin(), kDigits[rest & 15]);
  return " " + printable(module.substr(module.rfind('/') + 1)) + "+0x" + offset;
}

// As it may go to a terminal.
std::string known(const std::string& function) {
  return function.empty() ? "?" : printable(function);
}

template <class FrameText>
std::string join(const std::vector<std::uint32_t>& path, FrameText text) {
  std::string out;
  for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
    if (!out.empty()) out += " > ";
    out += text(*frame);
  }
  return out;
}

// The outermost frame is a place whatever function it lies in.
template <class IsWrapper>
std::size_t index_of_place(const std::vector<std::uint32_t>& path, IsWrapper is_wrapper) {
  for (std::size_t i = path.size(); i-- > 1;) {
    if (is_wrapper(path[i - 1])) return i;
  }
  return 0;
}

}  // namespace

Places::Places(const Trace& trace) : trace_(trace) {
  std::vector<Wrapper> wrappers = trace.wrappers;
  std::ranges::sort(wrappers);
  for (const Frame& f : trace.frames) {
    if (f.line != 0) shared_.push_back({f.file, f.line, f.function});
    is_wrapper_.push_back(f.function != 0 &&
                          std::ranges::binary_search(wrappers, Wrapper{f.function, f.file}));
  }
  std::ranges::sort(shared_);
  shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());
  const auto same_line = [](const Line& a, const Line& b) {
    return a.file == b.file && a.line == b.line;
  };
  std::vector<Line> out;
  for (auto from = shared_.begin(); from != shared_.end();) {
    const auto end =
        std::find_if(from, shared_.end(), [&](const Line& l) { return !same_line(l, *from); });
    if (end - from > 1) out.insert(out.end(), from, end);
    from = end;
  }
  shared_ = std::move(out);
}

std::string Places::function(std::uint32_t frame) const {
  const Frame& f = trace_.frames[frame];
  const std::string& full = trace_.texts[f.function];
  const std::string name = short_name(full);
  const auto first = std::ranges::lower_bound(shared_, Line{f.file, f.line, 0});
  for (auto l = first; f.line != 0 && l != shared_.end() && l->file == f.file && l->line == f.line;
       ++l) {
    if (l->function != f.function && short_name(trace_.texts[l->function]) == name)
      return known(full);
  }
  return known(name);
}

std::size_t Places::index(std::uint32_t callpath) const {
  return index_of_place(trace_.callpaths[callpath],
                        [this](std::uint32_t frame) { return is_wrapper_[frame]; });
}

const Frame* Places::frame(std::uint32_t callpath) const {
  const auto& path = trace_.callpaths[callpath];
  return path.empty() ? nullptr : &trace_.frames[path[index(callpath)]];
}

std::string Places::text(std::uint32_t callpath) const {
  const auto& path = trace_.callpaths[callpath];
  if (path.empty()) return {};
  return frame_text(path[index(callpath)]) + wrappers(callpath);
}

std::string Places::wrappers(std::uint32_t callpath) const {
  const auto& path = trace_.callpaths[callpath];
  const std::string out =
      join({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(index(callpath))},
           [this](std::uint32_t frame) { return function(frame); });
  return out.empty() ? "" : " via " + out;
}

std::string Places::location(std::uint32_t frame) const {
  const std::string out = location_of(trace_, trace_.frames[frame]);
  return out.empty() ? out : out.substr(1);
}

std::string Places::call_text(FunctionId function, std::uint32_t callpath) const {
  return call_in_place(trace::function(function).name, text(callpath));
}

std::string Places::path_text(std::uint32_t callpath) const {
  return join(trace_.callpaths[callpath],
              [this](std::uint32_t frame) { return frame_text(frame); });
}

std::string Places::frame_text(std::uint32_t frame) const {
  return function(frame) + location_of(trace_, trace_.frames[frame]);
}

bool is_wrapper(const Trace& trace, const Frame& frame) {
  return frame.function != 0 &&
         std::ranges::find(trace.wrappers, Wrapper{frame.function, frame.file}) !=
             trace.wrappers.end();
}

std::size_t place_index(const Trace& trace, std::uint32_t callpath) {
  return index_of_place(trace.callpaths[callpath], [&trace](std::uint32_t frame) {
    return is_wrapper(trace, trace.frames[frame]);
  });
}

std::string describe_place(const Trace& trace, std::uint32_t callpath) {
  return Places(trace).text(callpath);
}

std::string describe_call(const Trace& trace, std::uint32_t call) {
  return Places(trace).call_text(trace.calls[call]);
}

std::string describe_call(const Trace& trace, FunctionId function, std::uint32_t callpath) {
  return Places(trace).call_text(function, callpath);
}

// Both are texts, in the order of the name. NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
std::string call_in_place(std::string_view function, std::string_view place) {
  std::string out(function);
  if (!place.empty()) out.append(" in ").append(place);
  return out;
}

std::string full_path(const Trace& trace, std::uint32_t callpath) {
  return join(trace.callpaths[callpath], [&trace](std::uint32_t frame) {
    const Frame& f = trace.frames[frame];
    return known(trace.texts[f.function]) + location_of(trace, f);
  });
}

std::partial_ordering source_order(const Trace& trace, std::uint32_t a, std::uint32_t b) {
  const auto &path_a = trace.callpaths[a], &path_b = trace.callpaths[b];
  const auto fork = std::mismatch(
      path_a.rbegin(), path_a.rend(), path_b.rbegin(), path_b.rend(),
      [&trace](std::uint32_t x, std::uint32_t y) { return trace.frames[x] == trace.frames[y]; });
  const bool ends_a = fork.first == path_a.rend(), ends_b = fork.second == path_b.rend();
  if (ends_a && ends_b) return std::partial_ordering::equivalent;
  if (ends_a || ends_b) return std::partial_ordering::unordered;
  const Frame &f = trace.frames[*fork.first], &g = trace.frames[*fork.second];
  if (f.line == 0 || g.line == 0 || f.function != g.function || f.file != g.file)
    return std::partial_ordering::unordered;
  return f.line <=> g.line;
}

}  // namespace reprise::trace
