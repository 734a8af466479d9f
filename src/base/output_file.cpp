#include "base/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace reprise {

Error cannot_write(const std::string& path, int error) {
  return Error{path + " cannot be written (" + std::strerror(error) + "); choose another output"};
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) error_ = errno;
}

void OutputFile::put(std::string_view bytes) {
  if (error_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    error_ = errno;
}

void OutputFile::write(std::string_view bytes) {
  put(bytes);
  size_ += bytes.size();
}

void OutputFile::overwrite(std::uint64_t at, std::string_view bytes) {
  const auto seek = [&](std::uint64_t to, int from) {
    if (error_ == 0 && std::fseek(file_.get(), static_cast<long>(to), from) != 0) error_ = errno;
  };
  seek(at, SEEK_SET);
  put(bytes);
  seek(0, SEEK_END);
}

Status OutputFile::close() {
  if (file_ && std::fclose(file_.release()) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return cannot_write(path_, error_);
  return {};
}

}  // namespace reprise
