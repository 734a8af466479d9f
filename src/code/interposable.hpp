// Functions of a shared library for tests: they call each other as position-independent code does,
// by stubs of the linker, since another library might replace them.
#pragma once

using Note = void(int id, const void* return_address);

extern "C" {

// Calls interposable_early so many times.
void interposable_loop(int times, Note* note);
// Notes 41, then ends with a jump to interposable_late.
void interposable_early(Note* note);
// Notes 40.
void interposable_late(Note* note);
int interposable_sum();
// Notes 42 so many times, then ends with a jump to a function of another library.
int interposable_end(int times, Note* note);
// Notes 43 so many times, then ends with a jump to a function whose address it is given.
int interposable_then(int times, Note* note, int (*const* then)(const char*));
}
