// Lines of C of a scalable trace.
#pragma once

#include <string>

namespace reprise::scalable {

// Breaks a line behind a comma or a space so that none is longer than 120 characters.
std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace reprise::scalable
