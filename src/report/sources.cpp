#include "report/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/printable.hpp"

namespace reprise::report {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 1'000'000;

// The files that frames of calls lie in, as the trace names them.
std::set<std::string> names_of(const trace::Trace& trace) {
  std::set<std::string> out;
  for (const trace::Frame& f : trace.frames) {
    if (f.line != 0 && f.file != 0) out.insert(trace.texts[f.file]);
  }
  return out;
}

// How many parts two paths have in common at their ends.
std::size_t common_end(const fs::path& a, const fs::path& b) {
  const std::vector<fs::path> x(a.begin(), a.end()), y(b.begin(), b.end());
  const auto [at, other] = std::mismatch(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  return static_cast<std::size_t>(at - x.rbegin());
}

// Paths relative to the folder, by their last part, of files that are among the names.
Result<std::map<std::string, std::vector<fs::path>>> find_files(
    const fs::path& folder, const std::set<std::string>& last_parts) {
  std::map<std::string, std::vector<fs::path>> out;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator at(folder, options, error);
  std::size_t seen = 0;
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (++seen > kMostFiles) {
      return Error{fmt::format("{} has more than {} files; name the folder of the sources alone",
                               folder.string(), kMostFiles)};
    }
    const std::string last = at->path().filename().string();
    std::error_code ignored;
    if (last_parts.contains(last) && fs::is_regular_file(at->symlink_status(ignored)))
      out[last].push_back(at->path().lexically_relative(folder));
  }
  if (error) {
    return Error{fmt::format("{} cannot be read ({}); name the folder of the sources",
                             folder.string(), error.message())};
  }
  return out;
}

// The one that the name means, or none if several may be meant.
const fs::path* best_of(const std::vector<fs::path>& found, const std::string& name) {
  const fs::path* best = nullptr;
  std::size_t most = 0;
  bool is_only = false;
  for (const fs::path& path : found) {
    const std::size_t common = common_end(path, name);
    if (common < most) continue;
    is_only = common > most;
    most = common;
    best = &path;
  }
  return is_only ? best : nullptr;
}

std::string size_text(std::uint64_t bytes) { return fmt::format("{} kB", bytes / 1024); }

}  // namespace

Result<ordered_json> sources_of(const trace::Trace& trace, const fs::path& folder) {
  const std::set<std::string> names = names_of(trace);
  std::set<std::string> last_parts;
  for (const std::string& name : names) last_parts.emplace(base_name(name));
  const auto found = find_files(folder, last_parts);
  if (!found) return found.error();
  ordered_json out{{"files", ordered_json::array()}, {"missing", ordered_json::array()}};
  std::uint64_t all = 0;
  for (const std::string& name : names) {
    const auto miss = [&](std::string why) {
      out["missing"].push_back({{"name", printable(name)}, {"why", std::move(why)}});
    };
    const auto same = found->find(std::string(base_name(name)));
    if (same == found->end()) {
      miss("it is not in the folder");
      continue;
    }
    const fs::path* const path = best_of(same->second, name);
    if (!path) {
      miss(fmt::format("{} files of the folder may be meant", same->second.size()));
      continue;
    }
    const auto bytes = read_file((folder / *path).string(), "", kMostOfASource);
    if (!bytes) {
      miss(fmt::format("it cannot be read, or has more than {}", size_text(kMostOfASource)));
      continue;
    }
    if (all + bytes->size() > kMostOfSources) {
      miss(fmt::format("the sources together have more than {}", size_text(kMostOfSources)));
      continue;
    }
    all += bytes->size();
    out["files"].push_back({{"name", printable(name)},
                            {"path", printable(path->string())},
                            {"text", std::string(bytes->begin(), bytes->end())}});
  }
  return out;
}

}  // namespace reprise::report
