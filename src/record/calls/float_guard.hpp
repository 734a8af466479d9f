// Keeps the application's floating-point environment its own: neither does arithmetic of the
// recorder leave flags behind, which programs test and Fortran's STOP reports, nor does it run into
// traps or roundings that the application set.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace reprise::record {

// For as long as it lives. Cost: two reads of a control register, unless there is something to put
// back.
class FloatGuard {
 public:
  FloatGuard(const FloatGuard&) = delete;
  FloatGuard& operator=(const FloatGuard&) = delete;

#if defined(__x86_64__)
  FloatGuard() : theirs_(_mm_getcsr()) {
    if ((theirs_ & ~kFlags) != kUsual) _mm_setcsr(kUsual | (theirs_ & kFlags));
  }
  ~FloatGuard() {
    if (_mm_getcsr() != theirs_) _mm_setcsr(theirs_);
  }

 private:
  static constexpr unsigned kFlags = 0x3f;
  static constexpr unsigned kUsual = 0x1f80;  // to nearest, no traps, denormals as they are
  unsigned theirs_;
#else
  FloatGuard() { std::feholdexcept(&theirs_); }
  ~FloatGuard() { std::fesetenv(&theirs_); }

 private:
  std::fenv_t theirs_;
#endif
};

}  // namespace reprise::record
