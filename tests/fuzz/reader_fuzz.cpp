// Fuzzes what reads files: traces, the bodies behind their checksums, and parts.
#include <cstddef>
#include <cstdint>
#include <span>

#include "compress/process.hpp"
#include "trace/cursor.hpp"
#include "trace/file.hpp"

namespace {

constexpr int kMaxCalls = 2000;

void walk(const reprise::trace::Trace& trace) {
  for (const std::uint64_t stream : {std::uint64_t{0}, trace.streams() - 1}) {
    reprise::trace::Cursor cursor(trace, stream);
    for (int n = 0; n < kMaxCalls && cursor.next(); ++n) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  if (const auto trace = reprise::trace::decode_trace(bytes, "fuzz")) walk(*trace);
  if (const auto trace = reprise::trace::decode_body(bytes, "fuzz")) {
    walk(*trace);
    // What can be read can be written and read again.
    if (!reprise::trace::decode_body(reprise::trace::encode_body(*trace), "again"))
      __builtin_trap();
  }
  (void)reprise::compress::Process::decode_body(bytes, "fuzz");
  return 0;
}
