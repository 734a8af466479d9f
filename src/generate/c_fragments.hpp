// The C text from which the runtime part of a generated program is put together. A line that begins
// with "@name " stands only where `name` is needed, one with "@!name " only where it is not.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace reprise::generate {

// A piece of C that stands where something needs its name; the same name may have several pieces.
struct Fragment {
  std::string_view name;
  std::vector<std::string_view> uses;  // what it calls
  std::string_view text;
};

// Groups in the order in which C can read them; later ones call earlier ones.
std::span<const Fragment> core_fragments();     // computation, memory
std::span<const Fragment> table_fragments();    // folded series, lists
std::span<const Fragment> rank_fragments();     // ranks and sizes of communicators
std::span<const Fragment> buffer_fragments();   // buffers of messages
std::span<const Fragment> request_fragments();  // pending requests, messages that were probed for
std::span<const Fragment> other_fragments();    // files, hints, callbacks
std::span<const Fragment> call_fragments();     // what comes before each call
std::span<const Fragment> ending_fragments();   // report, options, start

}  // namespace reprise::generate
