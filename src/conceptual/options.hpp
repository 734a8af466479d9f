// What `reprise run` and the executables that run under a launcher are told before the program's
// name; what follows it is the program's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace reprise::conceptual {

struct Options {
  std::string file;
  std::vector<std::string> words;  // behind the file
  std::uint64_t seed = 1;
  bool force = false;
};

// What follows the options on the command line, for usage lines.
inline constexpr const char* kOperands = "FILE.ncptl [ARGUMENT...]";

// Adds them all to a command, which has to take what follows as it is (CLI::App::prefix_command).
void add_options(CLI::App& app, Options& options);

// After parsing: the file and the program's words.
void take_words(const CLI::App& app, Options& options);

// The same again as words of a command line.
std::vector<std::string> words_of(const Options& options);

}  // namespace reprise::conceptual
