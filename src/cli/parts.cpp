#include "cli/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "base/files.hpp"
#include "code/read_code.hpp"
#include "compress/part_layout.hpp"
#include "trace/file.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kMaxPart = std::uint64_t{1} << 34;  // [bytes]
}

std::vector<std::string> find_numbered(const std::string& path, const std::string& mark,
                                       const std::string& end) {
  std::map<std::uint64_t, std::string> found;
  const fs::path base(path);
  const std::string prefix = base.filename().string() + mark;
  const fs::path folder = base.has_parent_path() ? base.parent_path() : fs::path(".");
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    std::uint64_t number = 0;
    const char* first = name.data() + prefix.size();
    const char* last = name.data() + name.size();
    const char* behind = std::from_chars(first, last, number).ptr;
    if (behind != first && std::string(behind, last) == end) found[number] = entry.path().string();
  }
  std::vector<std::string> out;
  for (const auto& [number, name] : found) out.push_back(name);
  return out;
}

std::vector<std::string> find_parts(const std::string& output) {
  return find_numbered(output, ".part-");
}

std::vector<std::string> find_partial_parts(const std::string& output) {
  const fs::path base(output);
  const std::string prefix = base.filename().string() + ".part-";
  const fs::path folder = base.has_parent_path() ? base.parent_path() : fs::path(".");
  std::vector<std::string> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string_view rest;
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) rest = std::string_view(name).substr(prefix.size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || !rest.substr(digits).starts_with(".partial-")) continue;
    out.push_back(entry.path().string());
  }
  return out;
}

Result<trace::Trace> merge_parts(const std::vector<std::string>& files) {
  std::vector<compress::Process> processes;
  std::set<std::uint64_t> ranks;
  for (const std::string& name : files) {
    const auto data = read_file(name, trace::kPartMagic, kMaxPart);
    if (!data) return Error{data.error().message + "; give files that you may read, FILE.part-*"};
    Result<compress::Process> process = compress::PartLayout::read(*data, name);
    if (!process) return process.error();
    const compress::Process& first = processes.empty() ? *process : processes.front();
    if (process->run != first.run || process->ranks != first.ranks) {
      return Error{
          fmt::format("{} is not of the run that {} is of (every run marks its parts); merge the "
                      "parts of one run",
                      name, files.front())};
    }
    if (!ranks.insert(process->rank).second) {
      return Error{fmt::format("rank {} comes twice (the second time in {}); name each part once",
                               process->rank, name)};
    }
    processes.push_back(std::move(*process));
  }
  if (processes.empty())
    return Error{"there is nothing to merge (no part was given); give FILE.part-*",
                 Error::Kind::usage};
  return compress::merge_processes(std::move(processes), code::read_code);
}

}  // namespace reprise::cli
