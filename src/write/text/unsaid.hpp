// What a listing leaves out, as no reader misses it: no polls, ordinary buffers, the world, what
// wildcards matched, lengths of texts.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace reprise::write {

// Of an argument that no parameter tells.
bool says_nothing(const program::Argument& a);
// What a source or a tag that is any turned out to be.
bool is_matched(const trace::Column& column);

// Parameters that procedures are told nothing by, wherever they are invoked.
class UnsaidParameters {
 public:
  explicit UnsaidParameters(const program::Program& program);

  bool contains(std::size_t procedure, std::size_t parameter) const {
    return unsaid_[procedure][parameter];
  }

 private:
  std::vector<std::vector<bool>> unsaid_;  // [procedures x parameters]
};

}  // namespace reprise::write
