// The requests that a call makes, names and ends, as C.
#pragma once

#include <string>

#include "generate/c_draft.hpp"

namespace reprise::generate {

// How many requests a list names and the pointer to them; may put a statement in front of the call.
ListText requests_text(Draft& draft, const Argument& list);
// The pointer to the request of a scalar argument.
std::string request_text(Draft& draft, const Argument& request);
// The place for a request that the call makes.
std::string new_request_text(Draft& draft);

// Makes a statement of the call, which is repeated while it may come back empty-handed, and says
// behind it what has ended.
void end_requests(Draft& draft, const std::string& call);

}  // namespace reprise::generate
