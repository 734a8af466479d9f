// Why a scalable trace cannot be written in a language.
#pragma once

#include <string>

namespace reprise::scalable {

// What cannot be written, in words. Thrown within the back end, and caught by write_conceptual.
struct Unwritable {
  std::string why;
  bool suggests = false;  // it tells already what to do
};

}  // namespace reprise::scalable
