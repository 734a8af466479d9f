// Writes the man pages and completions of reprise into a folder: man1/, bash/, zsh/, fish/.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/manual/completions.hpp"
#include "cli/manual/man_page.hpp"
#include "cli/manual/options.hpp"

int main(int argc, char** argv) {
  namespace cli = reprise::cli;
  if (argc != 2) {
    std::fputs("usage: reprise-manual FOLDER\n", stderr);
    return 2;
  }
  CLI::App app{cli::kDescription, "reprise"};
  cli::add_subcommands(app);
  bool is_written = true;
  const auto write = [&](const char* folder, const std::string& name, const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(argv[1]) / folder;
    std::error_code error;
    std::filesystem::create_directories(path, error);
    is_written = is_written && (std::ofstream(path / name) << text).flush().good();
  };
  for (const CLI::App* sub : cli::subcommands(app))
    write("man1", "reprise-" + sub->get_name() + ".1", cli::man_page_of(*sub));
  write("bash", "reprise", cli::bash_completion(app));
  write("zsh", "_reprise", cli::zsh_completion(app));
  write("fish", "reprise.fish", cli::fish_completion(app));
  write("man1", "reprise.1", cli::man_page_of_program(app));
  if (!is_written) std::fprintf(stderr, "reprise-manual: %s cannot be written\n", argv[1]);
  return is_written ? 0 : 1;
}
