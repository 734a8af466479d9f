// One call of a scalable trace as C, from the table of arguments.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generate/arguments.hpp"
#include "scalable/c_laws.hpp"

namespace reprise::scalable {

// The handles that programs make, as arrays by their numbers.
class CObjects {
 public:
  // The handle of a number, and where it is.
  std::string handle(trace::Kind kind, std::int64_t number);
  std::string place(trace::Kind kind, std::int64_t number);
  std::string declarations() const;

 private:
  std::map<trace::Kind, std::int64_t> most_;  // numbers of those made
};

struct CCall {
  std::vector<std::string> lines;  // statements; the call among them
  bool uses_place = false;         // they take the counter calls_SITE
};

// `laws` are those of the columns of the call; `site` its number. Throws Unwritable.
CCall write_call(trace::FunctionId function, const std::vector<const extrapolate::Law*>& laws,
                 std::size_t site, CLaws& in_c, CObjects& objects);

}  // namespace reprise::scalable
