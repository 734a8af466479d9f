#include "convert/import/call_layout.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::convert {

using trace::Kind;

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

std::int64_t blank_of(const trace::Column& column) {
  if (column.name.starts_with("matched_")) return trace::kNone;
  switch (column.kind) {
    case Kind::peer: return trace::kProcNull;
    case Kind::matched: return trace::kNone;
    case Kind::datatype: return byte_type();
    case Kind::op: return byte_reduction();
    case Kind::request:
    case Kind::message: return trace::kNull;
    default: return 0;
  }
}

// The number that a name has, in the order of the table of predefined objects.
template <class NameOf>
std::int64_t number_of(std::string_view name, std::int64_t end, const NameOf& name_of) {
  std::int64_t number = 0;
  while (number < end && name_of(number) != name) ++number;
  return number;
}

}  // namespace

std::int64_t byte_type() {
  static const std::int64_t number = number_of("MPI_BYTE", trace::kFirstMadeType,
                                               [](std::int64_t t) { return trace::type_name(t); });
  return number;
}

std::int64_t byte_reduction() {
  static const std::int64_t number =
      number_of("MPI_BOR", trace::kFirstMadeOp, [](std::int64_t o) { return trace::op_name(o); });
  return number;
}

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
  for (const trace::Column& c : f.scalars) blank_.scalars.push_back(blank_of(c));
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
