#include "write/python/names.hpp"

#include "write/python/text.hpp"

namespace reprise::write::python {
namespace {

// What programs use besides: builtins, modules, and the names of the runtime part.
constexpr std::string_view kReserved[] = {
    "MPI",       "RANKS",    "GRID",     "COMPUTE",  "ByClass",   "Area", "arriving", "arriving_blocks", "sent", "received", "message_of_blocks", "TableByRank", "TABLE", "Messages",
    "Pending",   "Table",    "across",   "addresses", "argparse", "around",  "at",
    "begun",     "bool",    "by_rank",  "bytearray", "check_ranks", "comms",
    "comm_of_window", "comm", "window",         "dict",     "enumerate", "file_name", "files",  "first_half",
    "groups",    "hints",    "id",       "incoming", "incoming_blocks", "int", "itertools",
    "kept",      "last_site", "len",     "list",     "log2",      "main",    "math",
    "max",       "memory",   "memoryview", "message", "messages", "min",     "mpi4py",
    "neighbor",  "nothing",  "ops",      "options",  "os",        "outgoing", "outgoing_blocks",
    "pending",   "print",    "range",    "rank",     "read_options", "repeat", "reverse_bits",
    "room_of",   "root",     "run",      "second_half", "site",   "size_of", "start",
    "str",       "sum",      "sys",      "time",     "trailing_zeros", "types", "until",
    "values_of", "windows",  "world",    "x",        "y",         "z",       "w",
    "i",         "j",        "k",        "l",        "m",         "n",       "request",
    "requests",  "abs",      "bytes",    "float",    "format",    "isinstance", "iter",
    "next",      "open",     "set",      "tuple",    "zip",       "_",       "element",
    "position",  "class_",   "True",     "False",    "None"};

}  // namespace

Names::Names() {
  for (const std::string_view name : kReserved) taken_.insert(std::string(name));
}

std::string Names::add(std::string_view wanted) {
  const std::string name = identifier(wanted);
  std::string out = name;
  while (!taken_.insert(out).second) {
    const int number = ++last_.try_emplace(name, 1).first->second;
    out = name + (name.ends_with('_') ? "" : "_") + std::to_string(number);
  }
  return out;
}

}  // namespace reprise::write::python
