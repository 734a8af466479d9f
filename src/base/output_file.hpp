// A file that is written piece by piece.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace reprise {

class OutputFile {
 public:
  // Creates the file, or empties it. close() says whether that failed, too.
  explicit OutputFile(std::string path);

  void write(std::string_view bytes);
  // Replaces what was written from `at` on, and goes on at the end. REQUIRES: so much was written.
  void overwrite(std::uint64_t at, std::string_view bytes);
  // Of the file so far [bytes].
  std::uint64_t size() const { return size_; }

  // Says why not all of it could be written: "a.txt cannot be written (No space left on device);
  // choose another output".
  Status close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void put(std::string_view bytes);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
  int error_ = 0;  // errno of what failed first
};

// What OutputFile::close() says, for an errno.
Error cannot_write(const std::string& path, int error);

}  // namespace reprise
