#include "convert/import/finish.hpp"

#include <map>

namespace reprise::convert {
namespace {

// Gives the frames, whose offsets are regions, the names of these.
void name_regions(std::span<const SourceRegion> regions, trace::Trace& trace) {
  std::map<std::string, std::uint32_t> known;
  const auto text = [&](const std::string& content) {
    if (content.empty()) return std::uint32_t{0};
    const auto [entry, is_new] =
        known.emplace(content, static_cast<std::uint32_t>(trace.texts.size()));
    if (is_new) trace.texts.push_back(content);
    return entry->second;
  };
  for (trace::Frame& frame : trace.frames) {
    if (frame.offset >= regions.size()) continue;
    const SourceRegion& region = regions[frame.offset];
    frame.function = text(region.name);
    if (region.file.empty()) continue;
    frame.file = text(region.file);
    frame.line = region.line;
  }
  trace.symbolized = true;
}

}  // namespace

trace::Trace finish_import(std::vector<compress::Process> processes,
                           std::span<const SourceRegion> regions, const SourceNote& note) {
  for (compress::Process& p : processes) {
    p.mpi = note.origin;
    p.date = note.date;
    p.own.timing.clock = note.clock;
    p.own.options = note.lacks;
  }
  // There is no machine code to read: loops are found by what repeats.
  trace::Trace out = compress::merge_processes(
      std::move(processes), [](const auto&, const auto&) { return trace::Code{}; });
  std::erase_if(out.losses,
                [](const trace::Loss& loss) { return loss.what == compress::kCodeUnread; });
  out.program = note.program;
  name_regions(regions, out);
  return out;
}

}  // namespace reprise::convert
