// A message of a handler of signals on stderr: by write(2) alone, whoever has the lock of stderr.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace reprise::record {

class SignalMessage {
 public:
  SignalMessage& add(std::string_view text) {
    const std::size_t n = std::min(text.size(), sizeof text_ - size_);
    std::copy_n(text.data(), n, text_ + size_);
    size_ += n;
    return *this;
  }
  SignalMessage& add(unsigned number) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return add({digits, end});
  }

  void write() const {
    for (std::size_t at = 0; at < size_;) {
      const ssize_t put = ::write(STDERR_FILENO, text_ + at, size_ - at);
      if (put <= 0) return;
      at += static_cast<std::size_t>(put);
    }
  }

 private:
  char text_[4096];  // paths are as long as this at most, mostly far shorter
  std::size_t size_ = 0;
};

}  // namespace reprise::record
