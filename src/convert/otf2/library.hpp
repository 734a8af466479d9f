// The OTF2 library, as far as all that uses it has in common.
#pragma once

#include <otf2/otf2.h>

#include <string>

namespace reprise::convert::otf2 {

// While it lives, what the library complains of is kept rather than printed.
class Complaints {
 public:
  Complaints();
  ~Complaints();
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  // The first one since the last `clear`, as "Invalid argument: no such file"; empty: none.
  const std::string& first() const { return first_; }
  void clear() { first_.clear(); }

 private:
  static OTF2_ErrorCode take(void* self, const char* file, std::uint64_t line, const char* function,
                             OTF2_ErrorCode code, const char* format, va_list values);

  std::string first_;
  OTF2_ErrorCallback before_;
};

}  // namespace reprise::convert::otf2
