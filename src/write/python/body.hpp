// The nodes of the explained program as functions of Python.
#pragma once

#include <map>

#include "trace/calls/places.hpp"
#include "write/python/call.hpp"

namespace reprise::write::python {

class BodyWriter {
 public:
  // REQUIRES: all outlive it.
  BodyWriter(const program::Program& program, Values& values, Names& names, Parts& parts,
             bool keeps_window_communicators);

  // All functions, those that are called in front of those that call them; the last is `main`.
  Block run();

  // The calls of the trace by the numbers that they have in the program.
  const std::vector<std::uint32_t>& sites() const { return sites_; }

 private:
  Block nodes(const std::vector<program::Node>& nodes, Frame& frame);
  void node(const program::Node& n, Frame& frame, Block& out);
  void call(const program::Node& n, Frame& frame, Block& out);
  void loop(const program::Node& n, Frame& frame, Block& out);
  void function(const program::Node& n, Frame& frame, Block& out);
  void invocation(const program::Node& n, Frame& frame, Block& out);
  using Named = std::map<const program::Value*, std::string>;  // variables that have values
  Named name_communicators(const program::Node& invocation, Frame& frame, Block& out);
  Expression passed(const program::Node& invocation, std::size_t parameter, const Named& named,
                    Frame& frame);
  void procedure(std::size_t index);
  // A site of the frame that comes next, and as many behind it.
  Expression site(const std::vector<std::uint32_t>& calls, Frame& frame);
  std::string place(const program::Node& n) const;
  // The names that a function needs to be passed, of those that the frame has.
  static std::vector<std::string> needed(const Block& body, const Frame& frame);

  const program::Program& program_;
  Values& values_;
  Names& names_;
  CallWriter calls_;
  trace::Places places_;
  std::vector<std::string> procedure_names_;  // by procedure
  std::vector<bool> is_written_;              // by procedure
  std::vector<std::uint32_t> sites_;
  std::map<const Frame*, std::size_t> offsets_;  // of procedures: the sites that they have had
  Block functions_;
};

}  // namespace reprise::write::python
