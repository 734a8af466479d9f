// Whether the processor's time-stamp counter can serve as a clock.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace reprise {

// The counter runs at one rate, whatever the frequency of the processor.
inline bool has_constant_counter() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
#else
  return false;
#endif
}

}  // namespace reprise
