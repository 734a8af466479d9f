// The nodes of the explained program as functions of C.
#pragma once

#include <map>

#include "analyze/totals/executions.hpp"
#include "trace/calls/places.hpp"
#include "write/c/calls/call.hpp"

namespace reprise::write::c {

class BodyWriter {
 public:
  // REQUIRES: all outlive it.
  BodyWriter(const program::Program& program, Values& values, Names& names,
             bool keeps_window_communicators, bool learns_place);

  // All functions, those that are called in front of those that call them; the last is `main`.
  Block run();

  // The calls of the trace by the numbers that they have in the program.
  const std::vector<std::uint32_t>& sites() const { return sites_; }
  bool has_main_loop() const { return main_loop_ != nullptr; }
  // Definitions of drawn messages.
  const Block& exchanges() const { return exchanges_; }

 private:
  Block nodes(const std::vector<program::Node>& nodes, Frame& frame);
  void node(const program::Node& n, Frame& frame, Block& out);
  void call(const program::Node& n, Frame& frame, Block& out);
  void loop(const program::Node& n, Frame& frame, Block& out);
  // Whether MPI begins among the nodes.
  bool begins(const std::vector<program::Node>& nodes) const;
  void function(const program::Node& n, Frame& frame, Block& out);
  void invocation(const program::Node& n, Frame& frame, Block& out);
  void exchange(const program::Node& n, Frame& frame, Block& out);
  using Named = std::map<const program::Value*, std::string>;  // variables that have values
  Named name_communicators(const program::Node& invocation, Frame& frame, Block& out);
  Expression passed(const program::Node& invocation, std::size_t parameter, const Named& named,
                    Frame& frame, Block& out);
  std::string type_of(const program::Procedure& p, std::size_t parameter, bool is_key) const;
  // Raises the maxima of parameters that are trip counts to what these nodes pass. Returns whether
  // any has changed.
  bool add_passed(const std::vector<program::Node>& nodes, Frame& frame);
  // Finds the maxima of all parameters that are trip counts.
  void find_passed();
  void procedure(std::size_t index);
  // A site of the frame that comes next, and as many behind it.
  Expression site(const std::vector<std::uint32_t>& calls, Frame& frame);
  std::string place(const program::Node& n) const;
  // The parameters that a function needs to be passed, of what the frame has.
  static std::vector<Parameter> needed(const Block& body, const Frame& frame);
  // Where the benchmark learns its rank, and where it reports.
  void find_ends();
  // The variable of a loop.
  const std::string& index_of(std::size_t depth);
  void find_main_loop();

  struct Written {
    std::string name;
    bool is_written = false;
    std::vector<bool> used;  // by parameter
    bool uses_site = false;
    std::vector<std::int64_t> most;  // by parameter: of those that are trip counts
  };

  const program::Program& program_;
  Values& values_;
  Names& names_;
  CallWriter calls_;
  bool learns_place_;
  trace::Places places_;
  std::vector<Written> procedures_;
  std::vector<std::string> indices_;  // of loops, by depth
  std::vector<std::uint32_t> sites_;
  std::map<const Frame*, std::size_t> offsets_;  // of procedures: the sites that they have had
  Block functions_, exchanges_;
  std::optional<std::uint32_t> begins_, ends_;  // calls
  bool has_world_ = true;                       // it does not begin with a session
  const program::Node* main_loop_ = nullptr;
};

}  // namespace reprise::write::c
