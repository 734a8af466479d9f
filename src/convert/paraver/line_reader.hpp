// The lines of a text file, with where they stand, and the numbers in them.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace reprise::convert::paraver {

class LineReader {
 public:
  // Longer lines end the file: more is damage.
  static constexpr std::size_t kMostLine = std::size_t{1} << 30;  // [bytes]

  explicit LineReader(const std::string& path) : file_(std::fopen(path.c_str(), "re")) {}
  ~LineReader() { std::free(text_); }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool is_open() const { return file_ != nullptr; }
  // The next line into line(), without its end. False: there is none, or it cannot be read.
  bool next() {
    const auto length = file_ ? ::getline(&text_, &room_, file_.get()) : -1;
    if (length < 0 || static_cast<std::size_t>(length) > kMostLine) return false;
    ++number_;
    bytes_ += static_cast<std::uint64_t>(length);
    line_ = {text_, static_cast<std::size_t>(length)};
    if (line_.ends_with('\n')) line_.remove_suffix(1);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return true;
  }
  std::string_view line() const { return line_; }
  std::uint64_t number() const { return number_; }  // from 1 on
  std::uint64_t bytes() const { return bytes_; }    // read so far

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Close> file_;
  char* text_ = nullptr;
  std::size_t room_ = 0;
  std::string_view line_;
  std::uint64_t number_ = 0, bytes_ = 0;
};

// Takes a number off the front of a text, and the colon behind it if there is one. False: there is
// no number, or something else is behind it.
template <class Number>
bool take_field(std::string_view& text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace reprise::convert::paraver
