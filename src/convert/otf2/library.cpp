#include "convert/otf2/library.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace reprise::convert::otf2 {

Complaints::Complaints() : before_(OTF2_Error_RegisterCallback(take, this)) {}
Complaints::~Complaints() { OTF2_Error_RegisterCallback(before_, nullptr); }

OTF2_ErrorCode Complaints::take(void* self, const char*, std::uint64_t, const char*,
                                OTF2_ErrorCode code, const char* format, va_list values) {
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, values);
  std::string& first = static_cast<Complaints*>(self)->first_;
  if (first.empty()) {
    first = std::string(OTF2_Error_GetDescription(code));
    if (text[0] != '\0') first += ": " + std::string(text.data());
  }
  return code;
}

}  // namespace reprise::convert::otf2
