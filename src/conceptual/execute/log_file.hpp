// The file that a rank's log goes to, and what it says about where the program ran.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "conceptual/ast.hpp"
#include "conceptual/execute/log.hpp"
#include "conceptual/parameters.hpp"

namespace reprise::conceptual {

// Where, with what and on what a rank runs, under the names that logs of coNCePTuaL have.
Facts facts_of(const Program& program, const Arguments& arguments, const std::string& mpi,
               std::int64_t rank, std::int64_t ranks);

// What a log would say under a name; else the environment variable; else nothing.
std::string find_fact(const Facts& facts, const std::string& name);

// Made when the first table comes: ranks that log nothing leave no file. The path "-" is the
// standard output, which gets the tables alone.
class LogFile {
 public:
  LogFile(std::string path, std::string prologue)
      : path_(std::move(path)), prologue_(std::move(prologue)) {}

  // Before anything runs: whether the file may be made; one that exists is removed if `replace`.
  Status prepare(bool replace) const;
  Status append(const std::string& table);
  Status finish();

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  std::string path_, prologue_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace reprise::conceptual
