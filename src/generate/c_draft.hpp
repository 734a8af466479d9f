// A call in the making: the texts of its arguments so far, and what goes before it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generate/c_columns.hpp"

namespace reprise::generate {

struct Draft {
  const CallTools& tools;
  const Columns& columns;
  Point& point;
  std::size_t site;
  std::vector<std::string> texts;        // by argument; empty: not written yet
  std::vector<ListText> lists;           // by argument
  std::vector<std::string> counts = {};  // by argument: a list of counts as it is in the trace
  CallText out = {};
  std::optional<ListText> requests = {};  // of a call that has a list of them, once written
  std::vector<std::pair<std::string, std::string>> variables = {};  // text, name
  // It is passed until all requests that it names have ended, in whatever order they do.
  bool ends_all = false;

  // A variable of the call, if the text is long; equal texts share one.
  std::string variable(const Argument& a, const std::string& text);
  // The text of a list argument, which is remembered with its length.
  std::string list(std::size_t i, const Reading& reading);
  // A statement in front of the call, once.
  void put_before(const std::string& statement);
};

constexpr std::size_t kLongText = 28;   // what is longer and needed twice becomes a variable
constexpr std::size_t kShortText = 80;  // what is longer becomes one anyway

}  // namespace reprise::generate
