// A text file that is written line by line.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "base/output_file.hpp"

namespace reprise::convert {

class TextFile : public OutputFile {
 public:
  using OutputFile::OutputFile;

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    write(fmt::format(format, std::forward<Args>(args)...) + '\n');
  }
};

}  // namespace reprise::convert
