#include "convert/import/call_layout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/file/call_text.hpp"

namespace reprise::convert {

namespace {

struct SlotName {
  Slot slot;
  std::string_view name;
};

constexpr SlotName kScalars[] = {
    {Slot::comm, "comm"},
    {Slot::root, "root"},
    {Slot::dest, "dest"},
    {Slot::source, "source"},
    {Slot::tag, "tag"},
    {Slot::tag, "sendtag"},
    {Slot::receive_tag, "recvtag"},
    {Slot::count, "count"},
    {Slot::send_count, "sendcount"},
    {Slot::receive_count, "recvcount"},
    {Slot::send_buffer, "sendbuf"},
    {Slot::receive_buffer, "recvbuf"},
    {Slot::send_type, "sendtype"},
    {Slot::receive_type, "recvtype"},
    {Slot::type, "datatype"},
    {Slot::request, "request"},
    {Slot::index, "index"},
    {Slot::color, "color"},
    {Slot::key, "key"},
    {Slot::new_comm, "newcomm"},
};

constexpr SlotName kLists[] = {
    {Slot::requests, "requests"},
    {Slot::send_counts, "sendcounts"},
    {Slot::receive_counts, "recvcounts"},
    {Slot::send_displacements, "sdispls"},
    {Slot::receive_displacements, "rdispls"},
    {Slot::receive_displacements, "displs"},
    {Slot::send_types, "sendtypes"},
    {Slot::receive_types, "recvtypes"},
};

}  // namespace

CallLayout::CallLayout(trace::FunctionId function) : function_(function) {
  const trace::Function& f = trace::function(function);
  columns_.fill(-1);
  const auto find = [this](const auto& names, const auto& columns) {
    for (const SlotName& s : names) {
      const auto found = std::ranges::find(columns, s.name, &trace::Column::name);
      if (found != columns.end())
        columns_[static_cast<std::size_t>(s.slot)] =
            static_cast<std::int8_t>(found - columns.begin());
    }
  };
  find(kScalars, f.scalars);
  find(kLists, f.lists);
  blank_.function = &f;
  for (const trace::Column& c : f.scalars) blank_.scalars.push_back(trace::default_of(c));
  blank_.lists.resize(f.lists.size());
}

const CallLayout& CallLayout::of(trace::FunctionId function) {
  static const std::vector<CallLayout> all = [] {
    std::vector<CallLayout> out;
    for (std::size_t f = 0; f < trace::functions().size(); ++f)
      out.push_back(CallLayout(static_cast<trace::FunctionId>(f)));
    return out;
  }();
  return all[static_cast<std::size_t>(function)];
}

}  // namespace reprise::convert
