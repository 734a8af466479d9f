#include "compress/parts/part_names.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/hash.hpp"

namespace reprise::compress {

namespace fs = std::filesystem;

std::string part_path(const std::string& output, std::uint64_t rank) {
  return output + ".part-" + std::to_string(rank);
}

std::string moved_output(const std::string& output) {
  const char* given = std::getenv("TMPDIR");
  std::error_code error;  // if the current folder is gone, the name is used as given
  const fs::path found = fs::absolute(output, error);
  const fs::path absolute = (error ? fs::path(output) : found).lexically_normal();
  char hash[10];
  std::snprintf(hash, sizeof hash, "-%08x",
                static_cast<unsigned>(hash_text(absolute.parent_path().string())));
  return fs::path(given && *given ? given : "/tmp") / (absolute.filename().string() + hash);
}

}  // namespace reprise::compress
