// Gives the reader arbitrary bytes: as a file, and as the body of a file whose checksum is right.
// Whatever it accepts is walked, for a while.
#include <zstd.h>

#include "base/hash.hpp"
#include "trace/cursor.hpp"
#include "trace/file.hpp"

namespace {

using reprise::trace::Trace;

constexpr std::uint64_t kStreams = 4;
constexpr int kCalls = 1000;

void walk(const Trace& trace) {
  for (std::uint64_t stream = 0; stream < std::min(trace.streams(), kStreams); ++stream) {
    reprise::trace::Cursor cursor(trace, stream);
    for (int calls = 0; calls < kCalls && cursor.next(); ++calls) {
    }
  }
}

std::vector<std::uint8_t> as_file(std::span<const std::uint8_t> body) {
  std::vector<std::uint8_t> packed(ZSTD_compressBound(body.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), 1));
  reprise::ByteWriter file;
  file.raw("REPRISE", 7);
  file.byte(reprise::trace::kFormatVersion);
  file.fixed64(reprise::hash_bytes(packed.data(), packed.size(), reprise::trace::kFormatVersion));
  file.raw(packed.data(), packed.size());
  return file.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  if (const auto trace = reprise::trace::decode_trace(bytes, "input")) walk(*trace);
  if (const auto trace = reprise::trace::decode_trace(as_file(bytes), "input")) walk(*trace);
  return 0;
}
