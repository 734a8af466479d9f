// The calls of a trace or a log as StreamFolder takes them.
#pragma once

#include <vector>

#include "compress/fold/stream_folder.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::compress {

inline Layout layout_of(const trace::Function& f) { return {f.scalars.size(), f.lists.size()}; }

// The values of an event, laid out as layout_of() its function says.
inline void lay_out_record(const trace::Event& event, std::vector<std::int64_t>& record) {
  record = event.scalars;
  for (const auto& list : event.lists) {
    record.push_back(static_cast<std::int64_t>(list.size()));
    record.insert(record.end(), list.begin(), list.end());
  }
}

}  // namespace reprise::compress
