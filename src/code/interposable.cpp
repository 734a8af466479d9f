#include "code/interposable.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

// The address that the caller of a function here goes on at is noted by what is called from it.
#define RETURN_ADDRESS __builtin_return_address(0)

extern "C" {

[[gnu::noinline]] void interposable_late(Note* note) {
  note(40, RETURN_ADDRESS);
  asm volatile("");  // it is no jump
}

[[gnu::noinline]] void interposable_early(Note* note) {
  note(41, RETURN_ADDRESS);
  interposable_late(note);
}

[[gnu::noinline]] void interposable_loop(int times, Note* note) {
  for (int i = 0; i < times; ++i) interposable_early(note);
}

// Needs many stubs: together they are larger than interposable_end.
int interposable_sum() {
  tzset();
  return static_cast<int>(getpid() + getppid() + getpgrp() + static_cast<int>(getuid()) +
                          static_cast<int>(geteuid()) + static_cast<int>(getgid()) +
                          static_cast<int>(getegid()) + std::rand() + std::clock() + getpagesize() +
                          std::getchar());
}

[[gnu::noinline]] int interposable_end(int times, Note* note) {
  for (int i = 0; i < times; ++i) note(42, RETURN_ADDRESS);
  return std::puts("");
}

[[gnu::noinline]] int interposable_then(int times, Note* note, int (*const* then)(const char*)) {
  for (int i = 0; i < times; ++i) note(43, RETURN_ADDRESS);
  return (*then)("an address in the text before the jump, as that of a table would be");
}
}
