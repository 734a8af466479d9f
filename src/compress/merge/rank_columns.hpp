// The columns of a stream in the encodings of ranks: absolute, relative, exclusive or.
#pragma once

#include <vector>

#include "compress/fold/stream_folder.hpp"
#include "compress/merge/stream_values.hpp"
#include "trace/cursors/membership.hpp"
#include "trace/values/value.hpp"

namespace reprise::compress {

// What the numbers of a column mean; the lengths of lists are plain numbers.
trace::Kind kind_of_column(const trace::Function& function, std::size_t column);

// A peer, or the rank that a wildcard matched, of a call that names a communicator or window.
bool holds_ranks(const trace::Function& function, std::size_t column);

// One column: the series itself, and for ranks behind it the others in the order of
// `trace::Encoding`. Cost: of one value each, unless calls repeat.
std::vector<trace::Series> encoded_column(const FoldedSite& site, std::size_t column,
                                          const trace::Memberships& memberships);

// All columns, as values of one stream; those without a value are absent.
std::vector<StreamValues> encoded_columns(const FoldedSite& site,
                                          const trace::Memberships& memberships);

}  // namespace reprise::compress
