#include "convert/write.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/escape.hpp"

namespace reprise::convert {
namespace {

class File {
 public:
  explicit File(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}
  ~File() {
    if (file_) std::fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    if (file_) fmt::print(file_, "{}\n", fmt::format(format, std::forward<Args>(args)...));
  }
  bool close() {
    if (!file_) return false;
    const bool good = !std::ferror(file_);
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    return good && closed;
  }

 private:
  std::FILE* file_;
};

// What the next step needs: everything that blocks before it, and what has been waited for.
void write_goal(const std::vector<Step>& steps, std::size_t rank, File& out) {
  out.line("rank {} {{", rank);
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    switch (s.what) {
      case Step::Do::compute: out.line("l{}: calc {}", i, s.span); break;
      case Step::Do::send: out.line("l{}: send {}b to {} tag {}", i, s.bytes, s.peer, s.tag); break;
      case Step::Do::receive:
        out.line("l{}: recv {}b from {} tag {}", i, s.bytes, s.peer, s.tag);
        break;
      case Step::Do::wait: out.line("l{}: calc 0", i); break;
    }
    for (const std::size_t n : needed) out.line("l{} requires l{}", i, n);
    if (s.what == Step::Do::wait) out.line("l{} requires l{}", i, s.operation);
    if (s.what == Step::Do::compute || s.what == Step::Do::wait || s.is_blocking) needed = {i};
  }
  out.line("}}");
}

void write_ti(const std::vector<Step>& steps, std::size_t rank, const WriteOptions& o, File& out) {
  out.line("{} init", rank);
  for (const Step& s : steps) {
    const char* begin = s.is_blocking ? "" : "i";
    switch (s.what) {
      case Step::Do::compute:
        out.line("{} compute {:.0f}", rank, static_cast<double>(s.span) * 1e-9 * o.flops);
        break;
      case Step::Do::send:
        out.line("{} {}send {} {} {}", rank, begin, s.peer, s.tag, s.bytes);
        break;
      case Step::Do::receive:
        out.line("{} {}recv {} {} {}", rank, begin, s.peer, s.tag, s.bytes);
        break;
      case Step::Do::wait: {
        const Step& of = steps[s.operation];
        const bool sent = of.what == Step::Do::send;
        out.line("{} wait {} {} {}", rank, sent ? rank : of.peer, sent ? of.peer : rank, of.tag);
        break;
      }
    }
  }
  out.line("{} finalize", rank);
}

// Records of one task; each begins with a burst of computation.
void write_dimemas(const std::vector<Step>& steps, std::size_t rank, File& out) {
  const auto burst = [&](std::int64_t ns) {
    out.line("1:{}:0:{:.9f}", rank, static_cast<double>(ns) * 1e-9);
  };
  if (steps.empty() || steps.front().what != Step::Do::compute) burst(0);
  for (const Step& s : steps) {
    switch (s.what) {
      case Step::Do::compute: burst(s.span); continue;
      case Step::Do::send:
        out.line("2:{}:0:{}:-1:{}:{}:1:{}", rank, s.peer, s.bytes, s.tag, s.is_blocking ? 0 : 2);
        break;
      case Step::Do::receive:
        out.line("3:{}:0:{}:-1:{}:{}:1:{}", rank, s.peer, s.bytes, s.tag, s.is_blocking ? 0 : 1);
        break;
      case Step::Do::wait: {
        const Step& of = steps[s.operation];
        // Sends need no wait.
        if (of.what == Step::Do::receive)
          out.line("3:{}:0:{}:-1:{}:{}:1:2", rank, of.peer, of.bytes, of.tag);
        break;
      }
    }
  }
}

Status failed(const std::string& path) {
  return Error{path +
               " could not be written (is there room, and the folder?); choose another name"};
}

Status write_one(const Steps& steps, Format format, const std::string& path,
                 const WriteOptions& o) {
  File out(path);
  if (format == Format::goal) {
    out.line("num_ranks {}", steps.size());
    for (std::size_t r = 0; r < steps.size(); ++r) write_goal(steps[r], r, out);
    return out.close() ? Status() : failed(path);
  }
  std::string threads, members;
  for (std::size_t r = 0; r < steps.size(); ++r) {
    threads += r ? ",1" : "1";
    members += fmt::format(":{}", r);
  }
  // Offset 0: there is no table of offsets.
  out.line("#DIMEMAS:{}:1,0:0:{}({}),1", dimemas_string(o.name), steps.size(), threads);
  out.line("d:1:{}{}", steps.size(), members);
  for (std::size_t r = 0; r < steps.size(); ++r) write_dimemas(steps[r], r, out);
  return out.close() ? Status() : failed(path);
}

}  // namespace

std::vector<std::string> files_of(Format format, const std::string& path, std::size_t ranks) {
  std::vector<std::string> out{path};
  for (std::size_t r = 0; format == Format::ti && r < ranks; ++r)
    out.push_back(fmt::format("{}.{}", path, r));
  return out;
}

Status write_steps(const Steps& steps, Format format, const std::string& path,
                   const WriteOptions& options) {
  if (format != Format::ti) return write_one(steps, format, path, options);
  const std::vector<std::string> files = files_of(format, path, steps.size());
  File list(path);
  for (std::size_t r = 0; r < steps.size(); ++r) {
    list.line("{}", files[r + 1]);
    File out(files[r + 1]);
    write_ti(steps[r], r, options, out);
    if (!out.close()) return failed(files[r + 1]);
  }
  return list.close() ? Status() : failed(path);
}

}  // namespace reprise::convert
