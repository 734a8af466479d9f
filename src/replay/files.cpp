#include "replay/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace reprise::replay {
namespace {

constexpr off_t kLarge = off_t{1} << 40;  // takes no room: nothing is written

}  // namespace

Result<std::string> make_scratch(const std::string& parent) {
  const char* tmp = std::getenv("TMPDIR");
  const std::string within = !parent.empty() ? parent : tmp && *tmp ? tmp : "/tmp";
  std::error_code error;
  std::filesystem::create_directories(within, error);
  std::string name = within + "/reprise-replay-XXXXXX";
  if (!::mkdtemp(name.data())) {
    return Error{"no scratch folder can be made in " + within + " (" + std::strerror(errno) +
                 "); give another one with --scratch"};
  }
  return name;
}

void remove_scratch(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::remove_all(folder, error);
}

std::string scratch_path(const std::string& folder, const std::string& name) {
  std::string out = folder + "/";
  for (const char c : name) out += c == '/' ? '%' : c == ':' ? '%' : c;
  return out;
}

void ensure_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;  // it is there
  for (off_t size = kLarge; size > 0 && ::ftruncate(file, size) != 0; size /= 2) {
  }
  ::close(file);
}

}  // namespace reprise::replay
