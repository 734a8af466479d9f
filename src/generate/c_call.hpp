// One call of a trace as C, from the table of arguments alone.
#pragma once

#include <string>
#include <vector>

#include "analyze/memberships.hpp"
#include "generate/arguments.hpp"
#include "generate/c_lists.hpp"
#include "generate/c_objects.hpp"
#include "generate/c_values.hpp"
#include "generate/pending_at.hpp"

namespace reprise::generate {

// Everything that writing calls takes.
struct CallTools {
  const trace::Trace& trace;
  analyze::PeerRanges& peers;
  Values& values;
  Lists& lists;
  Objects& objects;
  PendingAt& pending;
  Source& source;
};

struct CallText {
  std::vector<std::string> before;  // declarations and statements
  std::string call;                 // a statement, with its semicolon
  std::vector<std::string> after;
};

// The call at the point; `site` is its number in the program that is written.
CallText write_call(const CallTools& tools, std::uint32_t call, std::size_t site, Point& point);

}  // namespace reprise::generate
