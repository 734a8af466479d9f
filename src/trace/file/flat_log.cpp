#include "trace/file/flat_log.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/printable.hpp"
#include "trace/file/file.hpp"

namespace reprise::trace {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;  // [bytes]

struct LogName {
  std::uint64_t rank = 0, thread = 0;
};

bool take_number(std::string_view& text, std::string_view before, std::uint64_t& out) {
  if (!text.starts_with(before)) return false;
  text.remove_prefix(before.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

// "rank-3-thread-0.log"
std::optional<LogName> parse_name(const fs::path& path) {
  const std::string name = path.filename().string();
  std::string_view rest = name;
  LogName out;
  if (!take_number(rest, "rank-", out.rank) || !take_number(rest, "-thread-", out.thread) ||
      rest != ".log") {
    return std::nullopt;
  }
  return out;
}

Error missing(const LogName& name) {
  return Error{"the log rank-" + std::to_string(name.rank) + "-thread-" +
               std::to_string(name.thread) +
               ".log is missing (others of its run are there); give all logs of a run"};
}

}  // namespace

bool is_flat_log(const std::string& path) { return fs::path(path).extension() == ".log"; }

Result<FlatLogs> arrange_flat_logs(const std::vector<std::string>& paths) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> found;
  for (const std::string& path : paths) {
    const auto name = parse_name(path);
    if (!name) {
      return Error{
          path +
          " is not a flat log (their names are rank-RANK-thread-THREAD.log); give files that "
          "`reprise record --flat` wrote"};
    }
    if (name->rank >= kMaxStreams || name->thread >= kMaxStreams)
      return Error{path + " is of an impossible rank or thread; give logs of one run"};
    if (!found.emplace(std::pair(name->rank, name->thread), path).second) {
      return Error{"rank " + std::to_string(name->rank) + " thread " +
                   std::to_string(name->thread) + " comes twice (the second time in " + path +
                   "); give the logs of one run"};
    }
  }
  FlatLogs out;
  for (auto& [stream, path] : found) {
    const auto [rank, thread] = stream;
    if (rank > out.size() || (rank == out.size() && thread > 0)) return missing({out.size(), 0});
    if (rank == out.size()) out.emplace_back();
    if (thread != out.back().size()) return missing({rank, out.back().size()});
    out.back().push_back(std::move(path));
  }
  return out;
}

Result<FlatLogs> find_flat_logs(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (parse_name(entry.path())) paths.push_back(entry.path().string());
  }
  if (paths.empty()) {
    return Error{folder +
                 " has no flat logs (rank-RANK-thread-THREAD.log); give a folder that "
                 "`reprise record --flat` wrote"};
  }
  return arrange_flat_logs(paths);
}

FlatLogSource::FlatLogSource(const std::string& path, CommNumbering number_of, LogColumns columns)
    : path_(path),
      number_of_(std::move(number_of)),
      file_(std::fopen(path.c_str(), "re")),
      buffer_(kBuffer),
      columns_(columns) {
  if (!file_) {
    problem_ =
        path + " cannot be opened (" + std::strerror(errno) + "); check its name and permissions";
  }
}

// The next line, with its end. False: there is none.
bool FlatLogSource::read_line() {
  ++line_;
  text_.clear();
  bool has_read = false;
  // A piece that is short without ending a line is at the end of the file or has a zero in it.
  for (std::size_t length = buffer_.size() - 1; length == buffer_.size() - 1;) {
    char* const data = buffer_.data();
    if (!std::fgets(data, static_cast<int>(buffer_.size()), file_.get())) break;
    has_read = true;
    length = std::strlen(data);
    text_.append(data, length);
    if (text_.ends_with('\n') || text_.size() > kMostLine) break;
  }
  return has_read;
}

// Takes the times before a call and the call path behind it off the line.
Status FlatLogSource::take_extras(std::string_view& line) {
  span_.reset();
  place_ = {};
  if (!line.empty() && line[0] >= '0' && line[0] <= '9') {
    std::uint64_t begin = 0, end = 0;
    constexpr std::uint64_t kLatest = std::uint64_t{1} << 62;  // [ns]
    if (!take_number(line, "", begin) || !take_number(line, " ", end) || !line.starts_with(' ') ||
        end < begin || end > kLatest) {
      return Error{"a line that begins with numbers says when the call began and ended [ns]"};
    }
    line.remove_prefix(1);
    span_ = Span{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
  }
  if (const std::size_t at = line.find(" @ "); at != std::string_view::npos) {
    place_ = line.substr(at + 3);
    line = line.substr(0, at);
  }
  return {};
}

const Event* FlatLogSource::next() {
  if (!file_ || !problem_.empty()) return nullptr;
  const auto fail = [&](const std::string& why) {
    problem_ = position() + " makes no sense (" + why + "); the log is damaged or cut short";
    return nullptr;
  };
  do {
    const bool has_read = read_line();
    if (std::ferror(file_.get())) return fail(std::strerror(errno));
    if (!has_read) return nullptr;
    if (!text_.ends_with('\n')) return fail("the line has no end");
    text_.pop_back();
  } while (columns_ == LogColumns::some && (text_.empty() || text_[0] == '#'));
  std::string_view line = text_;
  if (columns_ == LogColumns::some) {
    if (const Status taken = take_extras(line); !taken) return fail(taken.error().message);
  }
  if (const Status read = parse_call(line, number_of_, event_, columns_); !read)
    return fail(read.error().message);
  return &event_;
}

std::optional<FunctionId> last_function(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                             &std::fclose);
  if (!file || std::fseek(file.get(), 0, SEEK_END) != 0) return std::nullopt;
  long end = std::ftell(file.get());
  std::string tail;
  // Backwards until there is a line feed before the last one.
  while (end > 0 && tail.size() <= FlatLogSource::kMostLine) {
    const long begin = std::max<long>(0, end - static_cast<long>(kBuffer));
    std::string block(static_cast<std::size_t>(end - begin), '\0');
    if (std::fseek(file.get(), begin, SEEK_SET) != 0 ||
        std::fread(block.data(), 1, block.size(), file.get()) != block.size()) {
      return std::nullopt;
    }
    tail.insert(0, block);
    end = begin;
    if (!tail.ends_with('\n')) return std::nullopt;
    if (tail.size() > 1 && tail.rfind('\n', tail.size() - 2) != std::string::npos) break;
  }
  if (tail.size() < 2) return std::nullopt;
  const std::size_t before = tail.rfind('\n', tail.size() - 2);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return find_function(
      std::string_view(tail).substr(first, tail.find_first_of(" \n", first) - first));
}

}  // namespace reprise::trace
