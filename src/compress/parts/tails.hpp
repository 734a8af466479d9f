// How a run that ended early ended: the calls that its threads were in, folded over the ranks as
// the program is, and what is missing before them.
#pragma once

#include <vector>

#include "compress/process.hpp"

namespace reprise::compress {

//   tail := varint missing, varint waited, varint signal, varint is_signal_elsewhere, last
//   last := varint 0 | varint 1, text function, fixed64 callpath, varint n, signed{n}
void encode_tail(ByteWriter& out, const Tail& tail);
Tail decode_tail(ByteReader& in);

// Adds what a process lost behind its checkpoint to the losses of all.
void count_missing(const Process& process, Agreement& all);

// Puts the ends of the processes into their trace. `all` is their agreement. REQUIRES: sorted by
// rank, all of one run.
void set_tails(const std::vector<Process>& processes, const Agreement& all, trace::Trace& out);

}  // namespace reprise::compress
