#include "convert/text/import.hpp"

#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "compress/parts/log_process.hpp"

namespace reprise::convert::text {
namespace {

// The functions that call paths in words go through, numbered as they come.
class Frames {
 public:
  // "main a.c:12 > exchange a.c:40", the innermost first.
  std::vector<std::uint64_t> of(std::string_view path) {
    constexpr std::string_view kBelow = " > ";
    std::vector<std::uint64_t> out;
    while (!path.empty()) {
      const std::size_t at = std::min(path.find(kBelow), path.size());
      out.insert(out.begin(), number_of(path.substr(0, at)));
      path.remove_prefix(std::min(at + kBelow.size(), path.size()));
    }
    return out;
  }

  const std::vector<SourceRegion>& regions() const { return regions_; }

 private:
  std::uint64_t number_of(std::string_view text) {
    const auto [entry, is_new] = numbers_.emplace(text, regions_.size());
    if (is_new) regions_.push_back(region_of(text));
    return entry->second;
  }

  // "exchange a.c:40"; without a line all of it is the function.
  static SourceRegion region_of(std::string_view text) {
    const std::size_t space = text.find(' '), colon = text.rfind(':');
    if (space == std::string_view::npos || colon == std::string_view::npos || colon < space)
      return {std::string(text), "", 0};
    SourceRegion out{std::string(text.substr(0, space)),
                     std::string(text.substr(space + 1, colon - space - 1)), 0};
    const std::string_view line = text.substr(colon + 1);
    std::from_chars(line.data(), line.data() + line.size(), out.line);
    return out;
  }

  std::map<std::string, std::uint64_t, std::less<>> numbers_;
  std::vector<SourceRegion> regions_;
};

}  // namespace

Result<trace::Trace> import_logs(const trace::FlatLogs& logs, const ImportSettings& settings) {
  Frames frames;
  compress::LogReading how;
  how.columns = trace::LogColumns::some;
  how.times = settings.times;
  how.frames_of = [&](std::string_view place) { return frames.of(place); };
  std::vector<compress::Process> processes;
  for (std::uint64_t rank = 0; rank < logs.size(); ++rank) {
    auto process = compress::process_of_logs(rank, logs.size(), logs[rank], how);
    if (!process) return process.error();
    processes.push_back(std::move(*process));
    if (settings.progress) settings.progress("ranks read", rank + 1, logs.size());
  }
  SourceNote note;
  note.origin = "not known; flat text";
  note.lacks = "imported from flat text";
  return finish_import(std::move(processes), frames.regions(), note);
}

}  // namespace reprise::convert::text
