#include "extrapolate/site_names.hpp"

#include <set>
#include <string>

#include "base/hash.hpp"

namespace reprise::extrapolate {
namespace {

// What a module is known by where it has no build id: its file.
std::string identity(const trace::Module& module) {
  return module.build_id.empty() ? module.path : module.build_id;
}

std::set<std::string> identities(const trace::Trace& trace) {
  std::set<std::string> out;
  for (const trace::Frame& f : trace.frames) out.insert(identity(trace.modules[f.module]));
  return out;
}

bool same_binaries(std::span<const trace::Trace> traces) {
  std::set<std::string> first = identities(traces.front());
  for (const trace::Trace& t : traces) {
    if (identities(t) != first) return false;
  }
  return true;
}

std::uint64_t hash_frame(const trace::Trace& trace, const trace::Frame& frame, bool by_offset) {
  if (!by_offset && (frame.function != 0 || frame.file != 0)) {
    return combine(combine(hash_text(trace.texts[frame.function]), hash_text(trace.texts[frame.file])),
                   frame.line);
  }
  return combine(hash_text(identity(trace.modules[frame.module])), frame.offset);
}

}  // namespace

std::vector<std::vector<std::uint64_t>> name_callpaths(std::span<const trace::Trace> traces) {
  const bool by_offset = same_binaries(traces);
  std::vector<std::vector<std::uint64_t>> out;
  for (const trace::Trace& t : traces) {
    auto& hashes = out.emplace_back();
    for (const auto& path : t.callpaths) {
      std::uint64_t hash = path.size();
      for (const std::uint32_t frame : path) {
        hash = combine(hash, hash_frame(t, t.frames[frame], by_offset));
      }
      hashes.push_back(hash);
    }
  }
  return out;
}

std::string describe_place(const trace::Trace& trace, std::uint32_t callpath) {
  const auto& path = trace.callpaths[callpath];
  if (path.empty()) return {};
  const trace::Frame& frame = trace.frames[path.front()];
  if (frame.function == 0 && frame.file == 0) {
    return trace.modules[frame.module].path + "+" + std::to_string(frame.offset);
  }
  const std::string& file = trace.texts[frame.file];
  return trace.texts[frame.function] + " " + file.substr(file.rfind('/') + 1) + ":" +
         std::to_string(frame.line);
}

}  // namespace reprise::extrapolate
