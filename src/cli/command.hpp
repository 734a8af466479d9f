// What a subcommand is: a name, its options, and what it does.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.hpp"

namespace reprise::cli {

// Each adds itself to the program. Its `run` reports problems by throwing CommandError.
void add_record(CLI::App& app);
void add_merge(CLI::App& app);
void add_link_flags(CLI::App& app);
void add_show(CLI::App& app);

// Ends a command: the message goes to stderr, the status to the shell.
struct CommandError {
  std::string message;
  int status = 1;
};

// The value of a result, or the end of the command.
template <class T>
T take(Result<T> result) {
  if (!result) throw CommandError{result.error().message, result.error().kind == Error::Kind::usage ? 2 : 1};
  return std::move(*result);
}

}  // namespace reprise::cli
