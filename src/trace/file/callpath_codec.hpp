// The places of a program and the call paths that they make, as bytes of a trace file.
#pragma once

#include "base/bytes.hpp"
#include "trace/program.hpp"

namespace reprise::trace {

// A frame that has a line needs no address any more.
//   frame := varint function << 1 | 1, varint file, varint line
//          | varint module << 1, varint offset, varint function
void encode_frame(ByteWriter& out, const Frame& f);
// Of the texts and modules that the trace has.
Frame decode_frame(ByteReader& in, const Trace& trace);

// A call path shares its outer frames with the one before:
//   callpath := varint shared, varint own, (varint frame){own}, outermost first
void encode_callpaths(ByteWriter& out, const Trace& trace);
// So many, of frames that the trace has.
void decode_callpaths(ByteReader& in, std::size_t n, Trace& trace);

}  // namespace reprise::trace
