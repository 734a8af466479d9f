// A text file that is written line by line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace reprise::convert {

class TextFile {
 public:
  explicit TextFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
  ~TextFile() {
    if (file_) std::fclose(file_);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    const std::string text = fmt::format(format, std::forward<Args>(args)...) + '\n';
    if (file_) std::fwrite(text.data(), 1, text.size(), file_);
    size_ += text.size();
  }
  // Puts other text in the place of what was written from `at` on, a byte for each. REQUIRES: so
  // much was written.
  void overwrite(std::uint64_t at, std::string_view text) {
    if (!file_) return;
    // ferror() does not tell of seeking.
    failed_ = failed_ || std::fseek(file_, static_cast<long>(at), SEEK_SET) != 0 ||
              std::fwrite(text.data(), 1, text.size(), file_) != text.size() ||
              std::fseek(file_, 0, SEEK_END) != 0;
  }
  // Of the file so far [bytes].
  std::uint64_t size() const { return size_; }

  // False: not all of it could be written.
  bool close() {
    if (!file_) return false;
    const bool good = !failed_ && !std::ferror(file_);
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    return good && closed;
  }

 private:
  std::FILE* file_;
  std::uint64_t size_ = 0;
  bool failed_ = false;  // to overwrite
};

}  // namespace reprise::convert
