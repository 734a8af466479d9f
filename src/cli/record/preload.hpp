// Commands that set LD_PRELOAD themselves, and so lose what is preloaded into them from outside.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reprise::cli {

// The command with `library` behind whatever its words set LD_PRELOAD to: as an assignment (`env
// LD_PRELOAD=x.so`, `mpirun -x LD_PRELOAD=x.so`, `srun --export=ALL,LD_PRELOAD=x.so`) or as the
// word behind the name (`mpiexec -env LD_PRELOAD x.so`). The arguments of a program, up to a colon
// by itself, stay as they are; `is_program` tells which words are programs to be recorded.
std::vector<std::string> with_preloaded(std::vector<std::string> command,
                                        const std::string& library,
                                        const std::function<bool(const std::string&)>& is_program);

// What keeps the recorder from processes of a command where no library can be added.
struct PreloadConflict {
  std::string what;    // "run.sh sets LD_PRELOAD"
  std::string advice;  // what the user can do instead
};

// The first one. The arguments of programs have none.
std::optional<PreloadConflict> preload_conflict(
    const std::vector<std::string>& command,
    const std::function<bool(const std::string&)>& is_program);

}  // namespace reprise::cli
