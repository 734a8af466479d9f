// The communicators, datatypes and other objects of a scalable trace in C.
#pragma once

#include <map>
#include <set>
#include <string>

#include "trace/functions.hpp"

namespace reprise::scalable {

// The handles that programs make, as arrays by their numbers.
class CObjects {
 public:
  // "MPI_Comm" and the like. Throws Unwritable for windows and files.
  static std::string type_of(trace::Kind kind);
  // The handle of a number, and where it is.
  std::string handle(trace::Kind kind, std::int64_t number);
  std::string place(trace::Kind kind, std::int64_t number);
  // Where that is whose number is calculated, in C: one of those that programs make.
  std::string at(trace::Kind kind, const std::string& number);
  std::string declarations() const;

 private:
  static constexpr std::int64_t kCalculated = 4096;  // room for those

  std::map<trace::Kind, std::int64_t> most_;  // numbers of those made
  std::set<trace::Kind> calculated_;
};

}  // namespace reprise::scalable
