#include "cli/record/preloaded_recorder.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/record/recorders.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

std::string joined_paths(const std::string& first, const std::string& second) {
  return first.empty() ? second : second.empty() ? first : first + ":" + second;
}

}  // namespace

std::string present(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

Preloaded preloaded_for(const std::string& mpi, bool posix_io) {
  const fs::path folder = recorder_folder();
  const fs::path library =
      folder / fmt::format("libreprise-{}{}.so", mpi, posix_io ? "-posix" : "");
  std::error_code error;
  if (folder.empty() || !fs::exists(library, error)) {
    throw CommandError{
        fmt::format("there is no recorder for {} (it was not installed when reprise was built); "
                    "install it and build again",
                    mpi)};
  }
  // The dynamic linker splits LD_PRELOAD at spaces, but the folders that it searches at colons
  // only.
  if (library.string().find_first_of(" \t") == std::string::npos) return {library.string(), {}};
  return {library.filename().string(), folder.string()};
}

void preload(const std::string& mpi, bool posix_io, Variables& out) {
  const Preloaded p = preloaded_for(mpi, posix_io);
  out.emplace_back("LD_PRELOAD", joined_paths(present("LD_PRELOAD"), p.library));
  if (!p.folder.empty())
    out.emplace_back("LD_LIBRARY_PATH", joined_paths(p.folder, present("LD_LIBRARY_PATH")));
}

}  // namespace reprise::cli
