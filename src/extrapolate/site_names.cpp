#include "extrapolate/site_names.hpp"


#include "base/hash.hpp"

namespace reprise::extrapolate {
namespace {

// What is known by its line needs no address, nor has one.
std::uint64_t hash_frame(const trace::Trace& trace, const trace::Frame& frame) {
  if (frame.line != 0) {
    return combine(combine(hash_text(trace.texts[frame.function]), hash_text(trace.texts[frame.file])),
                   frame.line);
  }
  const trace::Module& module = trace.modules[frame.module];
  return combine(hash_text(module.build_id.empty() ? module.path : module.build_id), frame.offset);
}

std::vector<std::uint64_t> hash_callpaths(const trace::Trace& trace) {
  std::vector<std::uint64_t> out;
  for (const auto& path : trace.callpaths) {
    std::uint64_t hash = path.size();
    for (const std::uint32_t f : path) hash = combine(hash, hash_frame(trace, trace.frames[f]));
    out.push_back(hash);
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::uint64_t>> name_callpaths(std::span<const trace::Trace> traces) {
  std::vector<std::vector<std::uint64_t>> out;
  for (const trace::Trace& t : traces) out.push_back(hash_callpaths(t));
  return out;
}

std::string describe_place(const trace::Trace& trace, std::uint32_t callpath) {
  const auto& path = trace.callpaths[callpath];
  if (path.empty()) return {};
  const trace::Frame& frame = trace.frames[path.front()];
  if (frame.line == 0) {
    return trace.texts[frame.function] + " " + trace.modules[frame.module].path + "+" +
           std::to_string(frame.offset);
  }
  const std::string& file = trace.texts[frame.file];
  return trace.texts[frame.function] + " " + file.substr(file.rfind('/') + 1) + ":" +
         std::to_string(frame.line);
}

}  // namespace reprise::extrapolate
