// reprise link-flags: what links a recorder into a program where none can be preloaded.
#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/record/recorders.hpp"

namespace reprise::cli {
namespace {

void run() {
  const std::filesystem::path object = recorder_folder() / "reprise-smpi.o";
  std::error_code error;
  if (!std::filesystem::exists(object, error)) {
    throw CommandError{
        "there is no recorder for SMPI (smpicc was not installed when reprise was built); "
        "install libsimgrid-dev and build again"};
  }
  fmt::print("{} -lstdc++\n", object.string());
}

}  // namespace

void add_link_flags(CLI::App& app) {
  CLI::App* sub = app.add_subcommand(
      "link-flags", "Print the link flags for recording programs in SimGrid's SMPI");
  auto mpi = std::make_shared<std::string>("smpi");
  sub->add_option("--mpi", *mpi, "The MPI that the program uses; other MPIs need no link flags")
      ->check(CLI::IsMember({"smpi"}))
      ->capture_default_str();
  sub->footer("Example: smpicc -g app.c -o app $(reprise link-flags --mpi smpi)");
  sub->callback([mpi] { run(); });
}

}  // namespace reprise::cli
