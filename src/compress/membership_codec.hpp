// The places of a process in its communicators or windows, by their numbers.
#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "compress/rank_columns.hpp"

namespace reprise::compress {

// memberships := varint n, (signed rank, signed size){n}
inline void encode_memberships(ByteWriter& out, const std::vector<Membership>& all) {
  out.varint(all.size());
  for (const Membership& m : all) {
    out.signed_varint(m.rank);
    out.signed_varint(m.size);
  }
}

inline std::vector<Membership> decode_memberships(ByteReader& in) {
  std::vector<Membership> all(in.count(2));
  for (Membership& m : all) {
    m.rank = in.signed_varint();
    m.size = in.signed_varint();
  }
  return all;
}

}  // namespace reprise::compress
