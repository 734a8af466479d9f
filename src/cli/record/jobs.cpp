#include "cli/record/jobs.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

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

// Waits for the end of the process that holds the other end, and removes the folder then. It is
// out of reach of the signals that end that process's group.
[[noreturn]] void sweep_behind(int lifeline, const std::string& folder) {
  ::setsid();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  for (const int file : {0, 1, 2}) ::close(file);
  char byte = 0;
  while (::read(lifeline, &byte, 1) < 0 && errno == EINTR) {
  }
  std::error_code error;
  fs::remove_all(folder, error);
  ::_exit(0);
}

}  // namespace

Jobs::Jobs(const std::string& output)
    : output_(output),
      absolute_(fs::absolute(output).string()),
      claims_(absolute_ + ".claim-" + std::to_string(::getpid())) {
  std::error_code error;
  fs::create_directory(claims_, error);  // without it jobs are told apart by their traces
  int ends[2] = {-1, -1};
  if (error || ::pipe2(ends, O_CLOEXEC) != 0) return;
  std::fflush(nullptr);
  sweeper_ = ::fork();
  if (sweeper_ == 0) {
    ::close(ends[1]);
    sweep_behind(ends[0], claims_);
  }
  ::close(ends[0]);
  lifeline_ = ends[1];
}

Jobs::~Jobs() {
  std::error_code error;
  fs::remove_all(claims_, error);
  if (lifeline_ >= 0) ::close(lifeline_);
  while (sweeper_ > 0 && ::waitpid(sweeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<Job> Jobs::all() const {
  std::vector<std::pair<std::pair<bool, int>, Job>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(claims_, error)) {
    const std::string name = entry.path().filename().string();
    const bool spawned = name.starts_with("spawned-");
    std::ifstream in(entry.path());
    std::string output, word;
    // Where another recording has the name, or the disk is full, it is not whole.
    if (!std::getline(in, word) || !std::getline(in, output) || in.eof()) continue;
    // As this command names it.
    if (output.starts_with(absolute_)) output = output_ + output.substr(absolute_.size());
    found.push_back({{spawned, std::atoi(name.c_str() + (spawned ? 8 : 0))},
                     {.output = std::move(output), .began = true, .failed = word == "failed"}});
  }
  std::ranges::sort(found, {}, [](const auto& f) { return f.first; });
  std::vector<Job> out;
  for (auto& [number, job] : found) out.push_back(std::move(job));
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
