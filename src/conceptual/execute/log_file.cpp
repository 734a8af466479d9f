#include "conceptual/execute/log_file.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace reprise::conceptual {
namespace {

namespace fs = std::filesystem;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  char out[64] = "";
  std::tm local{};
  if (::localtime_r(&now, &local)) std::strftime(out, sizeof out, "%a %b %e %H:%M:%S %Y", &local);
  return out;
}

}  // namespace

Facts facts_of(const Program& program, const Arguments& arguments, const std::string& mpi,
               std::int64_t rank, std::int64_t ranks) {
  std::error_code error;
  utsname system{};
  ::uname(&system);
  Facts out{{"coNCePTuaL version", "1.5"},
            {"coNCePTuaL backend", "reprise run"},
            {"Executable name", program.file},
            {"Working directory", fs::current_path(error).string()},
            {"Number of tasks", std::to_string(ranks)},
            {"Processor (0<=P<tasks)", std::to_string(rank)},
            {"Host name", system.nodename},
            {"Operating system",
             std::string(system.sysname) + ' ' + system.release + ' ' + system.version},
            {"CPU architecture", system.machine},
            {"CPU count", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
            {"OS page size", std::to_string(::sysconf(_SC_PAGESIZE)) + " bytes"},
            {"MPI library", mpi},
            {"MPI send routine", "MPI_Send()"},
            {"MPI reduction operation", "MPI_SUM"}};
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    out.emplace_back(program.parameters[i].help, std::to_string(arguments.values[i]));
  out.emplace_back("Log-file template", arguments.log_file);
  out.emplace_back("Log creation time", now_text());
  return out;
}

std::string find_fact(const Facts& facts, const std::string& name) {
  const auto found =
      std::find_if(facts.begin(), facts.end(), [&](const auto& f) { return f.first == name; });
  if (found != facts.end()) return found->second;
  const char* variable = std::getenv(name.c_str());
  return variable ? variable : "";
}

Status LogFile::prepare(bool replace) const {
  std::error_code error;
  if (path_ == "-" || !fs::exists(path_, error)) return {};
  if (!replace)
    return Error{path_ +
                 " exists (it may be the log of an earlier run, and existing files are not "
                 "overwritten); add --force, or choose another --logfile"};
  fs::remove(path_, error);
  if (error && fs::exists(path_))
    return Error{path_ + " cannot be replaced (" + error.message() + "); choose another --logfile"};
  return {};
}

Status LogFile::append(const std::string& table) {
  const auto failed = [&] {
    return Error{path_ + " cannot be written (" + std::strerror(errno) +
                 "); choose another --logfile"};
  };
  if (path_ == "-") {
    std::fputs(table.c_str(), stdout);
    std::fflush(stdout);
    return {};
  }
  if (!file_) {
    // Two ranks that are given one name do not write over each other.
    file_.reset(std::fopen(path_.c_str(), "wx"));
    if (!file_) return failed();
    std::fputs(prologue_.c_str(), file_.get());
  } else {
    std::fputc('\n', file_.get());
  }
  if (std::fputs(table.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0) return failed();
  return {};
}

Status LogFile::finish() {
  if (!file_) return {};
  std::fprintf(file_.get(), "%s# Program exited normally.\n# Log completion time: %s\n%s", kRule,
               now_text().c_str(), kRule);
  const bool bad = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) != 0 || bad)
    return Error{path_ + " cannot be written (" + std::strerror(errno) +
                 "); choose another --logfile"};
  return {};
}

}  // namespace reprise::conceptual
