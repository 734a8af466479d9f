// Files for what does not fit into memory while a file is written.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include "base/result.hpp"

namespace reprise::convert {

// Opens an empty file `path`, which is gone when it is closed. Null: there can be none.
inline std::FILE* open_scratch_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wb+x");
  if (file) std::remove(path.c_str());
  return file;
}

// That the records of a file cannot be sorted in such files, for an errno.
inline Error cannot_sort(const std::string& path, int error) {
  return Error{"the records of " + path + " cannot be sorted in files beside the output (" +
               std::strerror(error) + "); choose an output in another folder"};
}

}  // namespace reprise::convert
