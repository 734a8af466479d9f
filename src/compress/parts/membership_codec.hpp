// The places of a process in its communicators or windows, by their numbers.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "trace/cursors/membership.hpp"

namespace reprise::compress {

// memberships := varint n, (signed rank, signed size){n}
inline void encode_memberships(ByteWriter& out, const std::vector<trace::Membership>& all) {
  out.varint(all.size());
  for (const trace::Membership& m : all) {
    out.signed_varint(m.rank);
    out.signed_varint(m.size);
  }
}

inline std::vector<trace::Membership> decode_memberships(ByteReader& in) {
  std::vector<trace::Membership> all(in.count(2));
  for (trace::Membership& m : all) {
    m.rank = in.signed_varint();
    m.size = in.signed_varint();
  }
  return all;
}

}  // namespace reprise::compress
