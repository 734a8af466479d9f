// The columns of a stream in the encodings that ranks of a communicator may be written in.
#pragma once

#include <functional>
#include <vector>

#include "compress/stream_folder.hpp"
#include "compress/stream_values.hpp"
#include "trace/value.hpp"

namespace reprise::compress {

// The rank of a stream in a communicator or window, and how many ranks that has.
struct Membership {
  std::int64_t rank = 0;
  std::int64_t size = 0;
};

// Who a stream is in communicator (or window) `id`.
using MembershipOf = std::function<Membership(trace::Kind, std::int64_t id)>;

// What the numbers of a column mean; the lengths of lists are plain numbers.
trace::Kind kind_of_column(const trace::Function& function, std::size_t column);

// A peer, or the rank that a wildcard matched, of a call that names a communicator or window.
bool holds_ranks(const trace::Function& function, std::size_t column);

// One column: the series itself, and for ranks behind it the others in the order of
// `trace::Encoding`. Cost: of one value each, unless calls repeat.
std::vector<trace::Series> encoded_column(const FoldedSite& site, std::size_t column,
                                          const MembershipOf& membership);

// All columns, as values of one stream; those without a value are absent.
std::vector<StreamValues> encoded_columns(const FoldedSite& site, const MembershipOf& membership);

}  // namespace reprise::compress
