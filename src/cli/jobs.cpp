#include "cli/jobs.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

// What follows `prefix` in the names of the files that begin with it.
std::vector<std::string> ends_of(const std::string& prefix) {
  const fs::path path(prefix);
  const std::string name = path.filename().string();
  std::vector<std::string> out;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(path.has_parent_path() ? path.parent_path() : fs::path("."), error)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(name)) out.push_back(file.substr(name.size()));
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

Jobs::Jobs(const std::string& output)
    : output_(output),
      claims_(fs::absolute(output).string() + ".claim-" + std::to_string(::getpid())) {}

Jobs::~Jobs() {
  std::error_code error;
  for (const std::string& end : ends_of(claims_)) fs::remove(claims_ + end, error);
}

std::vector<std::string> Jobs::others() const {
  std::vector<std::string> out;
  for (const std::string& end : ends_of(claims_)) {
    if (end.starts_with(".spawned-")) {
      out.push_back(output_ + end);
    } else if (end != "-1") {
      out.push_back(output_ + ".job" + end);
    }
  }
  return out;
}

std::vector<std::string> find_other_traces(const std::string& output) {
  std::vector<std::string> out;
  for (const char* kind : {".job-", ".spawned-"}) {
    for (const std::string& end : ends_of(output + kind)) out.push_back(output + kind + end);
  }
  return out;
}

}  // namespace reprise::cli
