// Traces on disk. docs/trace_format.md is this format in words; the two change together.
//
//   file := "REPRISE" version:byte checksum:fixed64 frame
//   frame := one zstd frame; the checksum is XXH3-64 of it, with the version as the seed
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::trace {

inline constexpr std::uint8_t kFormatVersion = 3;
// Of files with sections, which older readers must not take for traces.
inline constexpr std::uint8_t kSectionsVersion = 4;
// More streams than this are damage. A few bytes for each are no burden.
inline constexpr std::uint64_t kMaxStreams = std::uint64_t{1} << 24;

// What a caller makes use of. A scalable trace has no calls that could be walked.
enum class Accept : std::uint8_t { traces, scalable_too };

Result<std::vector<std::uint8_t>> encode_trace(const Trace& trace);
// `name` is what error messages call the data.
Result<Trace> decode_trace(std::span<const std::uint8_t> data, const std::string& name,
                           Accept accept = Accept::traces);

// How the files begin that an interrupted run leaves (compress/process.hpp): they are no traces.
inline constexpr std::string_view kPartMagic = "REPPART";
bool is_part(std::span<const std::uint8_t> data);

// What lies behind the header and the compression; exposed for tests that damage it.
std::vector<std::uint8_t> encode_body(const Trace& trace);
Result<std::vector<std::uint8_t>> pack_body(std::span<const std::uint8_t> body,
                                            std::uint8_t version = kFormatVersion);
// `memory`: what the trace may take [bytes].
Result<Trace> decode_body(std::span<const std::uint8_t> body, const std::string& name,
                          std::uint64_t memory = ~std::uint64_t{0});

// Writes a file next to `path` and renames it, so that a full disk loses nothing.
Status write_trace(const Trace& trace, const std::string& path);
// The same, but never in place of another file: false if there is one by the time it is whole.
Result<bool> write_new_trace(const Trace& trace, const std::string& path);
Result<Trace> read_trace(const std::string& path, Accept accept = Accept::traces);

}  // namespace reprise::trace
