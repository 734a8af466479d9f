#include "extrapolate/inputs/callpaths.hpp"

#include <algorithm>

namespace reprise::extrapolate {
namespace {

// The place of a thing in a list, at the end if it is new.
template <class T>
std::uint32_t place_of(std::vector<T>& list, const T& thing) {
  const auto found = std::ranges::find(list, thing);
  const auto place = static_cast<std::uint32_t>(found - list.begin());
  if (found == list.end()) list.push_back(thing);
  return place;
}

}  // namespace

std::uint32_t CallpathCopier::copy(const trace::Trace& from, std::uint32_t callpath) {
  std::vector<std::uint32_t> frames;
  for (const std::uint32_t f : from.callpaths[callpath]) {
    frames.push_back(copy_frame(from, from.frames[f]));
  }
  for (const trace::Wrapper& w : from.wrappers) {
    place_of(out_->wrappers,
             trace::Wrapper{copy_text(from.texts[w.function]), copy_text(from.texts[w.file])});
  }
  return place_of(out_->callpaths, frames);
}

std::uint32_t CallpathCopier::copy_frame(const trace::Trace& from, trace::Frame frame) {
  if (frame.line == 0) frame.module = place_of(out_->modules, from.modules[frame.module]);
  frame.function = copy_text(from.texts[frame.function]);
  frame.file = copy_text(from.texts[frame.file]);
  return place_of(out_->frames, frame);
}

std::uint32_t CallpathCopier::copy_text(const std::string& text) {
  if (text.empty()) return 0;
  const auto [entry, is_new] = texts_.emplace(text, static_cast<std::uint32_t>(out_->texts.size()));
  if (is_new) out_->texts.push_back(text);
  return entry->second;
}

}  // namespace reprise::extrapolate
