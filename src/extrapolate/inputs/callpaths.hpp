// Call paths of several traces in one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::extrapolate {

// Copies call paths, with the frames, modules and texts that they take, into a trace.
class CallpathCopier {
 public:
  explicit CallpathCopier(trace::Trace& out) : out_(&out) { out.texts.assign(1, {}); }

  // The index in the new trace.
  std::uint32_t copy(const trace::Trace& from, std::uint32_t callpath);

 private:
  std::uint32_t copy_frame(const trace::Trace& from, trace::Frame frame);
  std::uint32_t copy_text(const std::string& text);

  trace::Trace* out_;
  std::map<std::string, std::uint32_t> texts_;
};

}  // namespace reprise::extrapolate
