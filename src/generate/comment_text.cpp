#include "generate/comment_text.hpp"

#include "base/printable.hpp"

namespace reprise::generate {

std::string comment_text(const std::string& text) {
  std::string out = printable(text);
  for (std::size_t at = 0; (at = out.find("*/", at)) != std::string::npos;)
    out.replace(at, 2, "* /");
  return out;
}

}  // namespace reprise::generate
