// The values and conditions of nodes, in order: the parts that may differ between two bodies of one
// shape.
#pragma once

#include <functional>
#include <string>

#include "program/program.hpp"

namespace reprise::program {

struct Slot {
  Value* value = nullptr;  // one of the two
  Who* who = nullptr;
  std::string name;                     // of a parameter in its place
  std::optional<trace::Column> column;  // of which it is the value
  bool is_list = false;                 // elements of a list
  bool is_text_length = false;          // the length of a text
  const Node* invocation = nullptr;     // to which it is passed; null: none
  std::size_t parameter = 0;            // of that procedure
  bool is_once = true;                  // no loop or condition over executions is around it
  // Iterations of the only loop around it, which each execute it.
  std::optional<std::int64_t> trips = {};
};

// The slots of nodes in order, those of procedures that they invoke aside.
void for_each_slot(std::vector<Node>& nodes, const std::function<void(const Slot&)>& visit);

// A text that is the same for equal values.
std::string signature(const Value& value);
std::string signature(const Who& who);

// A text that is the same for nodes that differ in their slots alone.
std::string shape(const trace::Trace& trace, const std::vector<Node>& nodes);

// Of a listing, about: a body of one node stands behind its head.
std::size_t lines_of(const std::vector<Node>& nodes);

}  // namespace reprise::program
