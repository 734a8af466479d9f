// The languages in which a benchmark can be written: one interface, behind which each is a file or
// a few. A further language is its own files and a line in language.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "generate/detail.hpp"
#include "trace/program.hpp"
#include "write/conceptual/calls/substitutes.hpp"
#include "write/times/detail.hpp"

namespace reprise::generate {

using write::conceptual::Substitutes;

// What a user may say about the text, beyond what the trace tells.
struct Options {
  std::string trace = {};  // the name of the trace's file, for the comment at the top
  Substitutes substitutes = Substitutes::own;
  Detail detail = Detail::exact;
  write::times::Detail times = write::times::Detail::full;
  bool is_single_file = false;        // nothing stands beside the program
  std::string program = "benchmark";  // the name of its file without the suffix
};

// A file that stands beside a program, which needs it.
struct Companion {
  std::string name, text;
};

struct Benchmark {
  std::string text;
  std::vector<Companion> companions = {};
};

class Language {
 public:
  virtual ~Language() = default;

  virtual std::string_view name() const = 0;    // as --language has it: "c"
  virtual std::string_view suffix() const = 0;  // of its files: ".c"
  // A program that makes the calls of the trace, whole; or why there can be none. Its length
  // follows the nodes of the trace, never its ranks or iterations.
  virtual Result<Benchmark> write(const trace::Trace& trace, const Options& options) const = 0;
};

// All of them; the first is what is written unless another is asked for.
std::span<const Language* const> languages();

// The language of that name, or null.
const Language* find_language(std::string_view name);

}  // namespace reprise::generate
