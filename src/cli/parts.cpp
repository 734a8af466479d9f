#include "cli/parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "compress/process.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

std::vector<std::string> find_parts(const std::string& output) {
  std::vector<std::string> parts;
  const fs::path path(output);
  const std::string prefix = path.filename().string() + ".part-";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(prefix))
      parts.push_back(entry.path().string());
  }
  std::ranges::sort(parts);
  return parts;
}

Result<trace::Trace> merge_parts(const std::vector<std::string>& files) {
  std::vector<compress::Process> processes;
  std::set<std::uint64_t> ranks;
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    if (!file) return Error{fmt::format("{} cannot be opened", name)};
    const std::vector<std::uint8_t> data{std::istreambuf_iterator<char>(file), {}};
    Result<compress::Process> process = compress::Process::decode(data, name);
    if (!process) return process.error();
    const compress::Process& first = processes.empty() ? *process : processes.front();
    if (process->ranks != first.ranks) {
      return Error{
          fmt::format("{} is of another run ({} ranks, {} has {}); merge the parts of one run",
                      name, process->ranks, files.front(), first.ranks)};
    }
    if (!ranks.insert(process->rank).second) {
      return Error{
          fmt::format("rank {} comes twice ({}); merge the parts of one run", process->rank, name)};
    }
    processes.push_back(std::move(*process));
  }
  if (processes.empty()) return Error{"there are no parts to merge", Error::Kind::usage};
  return compress::merge_processes(std::move(processes));
}

}  // namespace reprise::cli
