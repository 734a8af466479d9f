// Text from a trace as it may stand in a comment of C.
#pragma once

#include <string>

namespace reprise::generate {

// The text on one line, without control characters and without the end of a comment.
std::string comment_text(const std::string& text);

}  // namespace reprise::generate
