// What a replay is asked to do, and its command line, which `reprise replay` and the executables
// that run under a launcher share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace reprise::replay {

enum class Matching { recorded, free };
enum class Waiting { sleep, spin };

struct Options {
  std::string file;
  Matching matching = Matching::recorded;
  Waiting waiting = Waiting::sleep;
  bool compute = true;
  double compute_scale = 1;
  std::vector<std::pair<std::string, double>>
      compute_scale_at;  // of single places, the last counts
  double message_scale = 1;
  std::uint64_t seed = 1;
  std::string scratch;  // folder for files; empty: TMPDIR
  bool json = false;
  std::string json_file;  // empty: to standard output
};

// Adds them all to a command.
void add_options(CLI::App& app, Options& options);

// The same again as words of a command line.
std::vector<std::string> words_of(const Options& options);

}  // namespace reprise::replay
