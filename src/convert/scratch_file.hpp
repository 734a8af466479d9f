// Files for what does not fit into memory while a file is written.
#pragma once

#include <cstdio>
#include <string>

namespace reprise::convert {

// Opens an empty file `path`, which is gone when it is closed. Null: there can be none.
inline std::FILE* open_scratch_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wb+x");
  if (file) std::remove(path.c_str());
  return file;
}

}  // namespace reprise::convert
