// The communicators, datatypes and other objects of a trace as C variables: one for each if they
// are few, and an array by their numbers if they are many.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "analyze/executions.hpp"
#include "generate/c_values.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

class Objects {
 public:
  Objects(const trace::Trace& trace, analyze::Executions& executions, Values& values,
          Source& source);

  static bool is_object(trace::Kind kind);

  // The handle that a column names.
  std::string use(trace::Kind kind, const trace::Value& value, Point& point,
                  const std::string& name);
  // A pointer to where the handle is, or is to be: for what makes, frees or commits an object.
  // On ranks that get none it is there all the same, and null.
  std::string place(trace::Kind kind, const trace::Value& value, Point& point,
                    const std::string& name);
  // What the numbers of such a column are in C.
  Reading reading(trace::Kind kind);

  // Declares the variables. Behind all calls.
  void declare();

 private:
  struct Class {
    std::set<std::int64_t> numbers;               // that the program makes
    std::map<std::int64_t, std::string> made_by;  // a word for what makes them, where that is one
    bool is_array = false;
  };

  void learn(const trace::Call& call, std::uint64_t stream, std::uint64_t executions);
  void add(trace::Kind kind, const std::set<std::int64_t>& found, const std::string& function,
           bool is_new);
  std::string variable(trace::Kind kind, std::int64_t number) const;
  std::string word(trace::Kind kind, std::int64_t number);

  Values& values_;
  Source& source_;
  std::uint64_t streams_;
  std::map<trace::Kind, Class> classes_;
};

}  // namespace reprise::generate
