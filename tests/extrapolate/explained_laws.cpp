// Whether the explained program of a scalable trace makes the calls of the trace on each of some
// numbers of ranks.
//
//     explained_laws FILE RANKS...
#include <cstdlib>
#include <exception>
#include <iostream>

#include "scalable/check.hpp"
#include "scalable/codec.hpp"
#include "trace/file/file.hpp"

int main(int argc, char** argv) {
  using namespace reprise;
  if (argc < 3) return 2;
  const auto trace = trace::read_trace(argv[1], trace::Accept::scalable_too);
  if (!trace) return std::cerr << trace.error().message << "\n", 1;
  const auto laws = scalable::decode(*trace, argv[1]);
  if (!laws) return std::cerr << laws.error().message << "\n", 1;
  int wrong = 0;
  for (int i = 2; i < argc; ++i) {
    std::string difference;
    try {
      difference = scalable::first_difference(*laws, {.ranks = std::atoll(argv[i])});
    } catch (const std::exception& e) {
      difference = e.what();
    }
    std::cout << argv[i] << " ranks: " << (difference.empty() ? "the same" : difference) << "\n";
    wrong += !difference.empty();
  }
  return wrong ? 1 : 0;
}
