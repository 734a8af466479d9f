#include "cli/record/outputs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/record/parts.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "compress/parts/part_names.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

// A recorder holds a lock on the part that it writes.
void check_unused(const std::string& output) {
  const std::vector<std::string> parts = parts_of(output).all();
  const auto used = std::ranges::find_if(parts, is_locked);
  if (used == parts.end()) return;
  throw CommandError{fmt::format(
      "{} cannot be replaced (a recording that is running writes it); choose another -o, or "
      "wait until it has ended",
      *used)};
}

bool is_log(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("rank-") && name.ends_with(".log");
}

}  // namespace

Outputs::Outputs(std::string path, bool each_rank)
    : path_(std::move(path)), each_rank_(each_rank), before_(traces()) {}

Outputs::Outputs(std::string path, bool each_rank, Nothing)
    : path_(std::move(path)), each_rank_(each_rank) {}

Outputs Outputs::of_new(std::string path, bool each_rank) {
  return {std::move(path), each_rank, Nothing{}};
}

std::map<std::string, Outputs::Identity> Outputs::traces() const {
  std::vector<std::string> names{path_};
  if (each_rank_) std::ranges::copy(find_numbered(path_ + "."), std::back_inserter(names));
  std::map<std::string, Identity> out;
  for (const std::string& name : names) {
    struct stat s {};
    if (::stat(name.c_str(), &s) == 0)
      out[name] = {s.st_ino, s.st_ctim.tv_sec * std::int64_t{1'000'000'000} + s.st_ctim.tv_nsec};
  }
  return out;
}

void Outputs::check(bool force) const {
  check_writable(path_);
  check_unused(path_);
  if (force) return;
  if (!before_.empty()) {
    throw CommandError{fmt::format(
        "{} exists (existing files are not overwritten); add --force, or choose another -o",
        before_.begin()->first)};
  }
  const Parts parts = parts_of(path_);
  if (!parts.empty()) {
    throw CommandError{fmt::format(
        "{} exist (an earlier run ended early); make a trace of them with\n  {}\nor add --force",
        pattern_of(parts.beside.empty() ? compress::moved_output(path_) : path_),
        merge_command(parts, path_))};
  }
}

void Outputs::make_room() const {
  check_unused(path_);
  remove_parts();
}

std::vector<std::string> Outputs::written() const {
  std::vector<std::string> out;
  for (const auto& [name, identity] : traces()) {
    const auto known = before_.find(name);
    if (known == before_.end() || known->second != identity) out.push_back(name);
  }
  return out;
}

void Outputs::remove_stale() const {
  const std::vector<std::string> fresh = written();
  std::error_code error;
  for (const auto& [name, identity] : before_) {
    if (std::ranges::find(fresh, name) == fresh.end()) fs::remove(name, error);
  }
}

void Outputs::remove_parts() const {
  const std::vector<std::string> parts = parts_of(path_).all();
  if (std::ranges::any_of(parts, is_locked)) return;
  std::error_code error;
  for (const std::string& part : parts) fs::remove(part, error);
  for (const std::string& part : find_partial_parts(path_)) fs::remove(part, error);
}

void prepare_log_folder(const std::string& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw CommandError{fmt::format("the folder {} cannot be made ({}); choose another --flat",
                                   folder, error ? error.message() : "a file has that name")};
  }
  check_writable(folder + "/rank-0-thread-0.log");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!is_log(entry.path())) continue;
    if (!force) {
      throw CommandError{
          fmt::format("{} has a log already (existing files are not overwritten); add --force, or "
                      "choose another "
                      "--flat",
                      folder)};
    }
    fs::remove(entry.path(), error);
  }
}

void check_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw CommandError{
        fmt::format("{} cannot be written (it is a folder); give the name of a file", path)};
  }
  // Permissions, read-only file systems and what else there is: making a file tells.
  const std::string trial = fmt::format("{}.trial-{}", path, ::getpid());
  const int file = ::open(trial.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) {
    throw CommandError{
        fmt::format("{} cannot be written ({}); choose a folder that exists and "
                    "that you may write to",
                    path, std::strerror(errno))};
  }
  ::close(file);
  ::unlink(trial.c_str());
}

namespace {

void check_absent(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  throw CommandError{fmt::format(
      "{} exists (existing files are not overwritten); add --force, or choose another output",
      path)};
}

// A folder is removed with all that is in it: an archive, or the part of it beside its anchor file.
void check_replaceable(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error) || fs::is_empty(path, error)) return;
  const bool is_archive = fs::exists(fs::path(path) / "traces.otf2", error);
  const bool is_part = fs::exists(path + ".otf2", error) && fs::exists(path + ".def", error);
  if (is_archive || is_part) return;
  throw CommandError{fmt::format(
      "{} cannot be replaced (it is a folder and no OTF2 archive); choose another output", path)};
}

}  // namespace

void check_suffix(const std::string& path, std::string_view what,
                  std::initializer_list<const char*> suffixes) {
  const std::string suffix = fs::path(path).extension().string();
  if (suffix.empty() || std::ranges::find(suffixes, suffix) != suffixes.end()) return;
  throw CommandError{
      fmt::format(
          "{} is not a valid name for {} (other programs recognize files by suffix); use a name "
          "that ends in {}",
          path, what, *suffixes.begin()),
      2};
}

void check_new(const std::string& path, bool force) {
  check_writable(path);
  if (!force) check_absent(path);
}

void say_written(const std::string& path) {
  if (!is_watched()) return;
  std::error_code error;
  std::uintmax_t bytes = 0;
  if (fs::is_directory(path, error)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error)) {
      if (entry.is_regular_file(error)) bytes += entry.file_size(error);
    }
  } else if (fs::is_regular_file(path, error)) {
    bytes = fs::file_size(path, error);
  } else {
    return;
  }
  if (!error) say(stderr, "reprise: wrote {} ({})\n", path, bytes_text(bytes));
}

void make_room(const std::vector<std::string>& files, bool force) {
  // Nothing is removed if anything has to stay.
  for (const std::string& file : files) {
    check_replaceable(file);
    if (!force) check_absent(file);
  }
  for (const std::string& file : files) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(file, error);
    if (fs::is_regular_file(status) || fs::is_directory(status)) fs::remove_all(file, error);
  }
}

}  // namespace reprise::cli
