// Where the columns of a function are that an importer fills, and a call with all other columns as
// they are when the source says nothing of them.
#pragma once

#include <array>
#include <cstdint>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::convert {

// Columns by what they mean, whatever the function.
enum class Slot : std::uint8_t {
  comm,
  root,
  dest,
  source,
  tag,  // of the message; of the sent one where a call sends and receives
  receive_tag,
  count,
  send_count,
  receive_count,
  send_buffer,
  receive_buffer,
  send_type,
  receive_type,
  type,
  request,
  index,
  color,
  key,
  new_comm,  // its rank and size follow
  // Lists.
  requests,
  send_counts,
  receive_counts,
  send_displacements,
  receive_displacements,
  send_types,
  receive_types,
};
inline constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::receive_types) + 1;

class CallLayout {
 public:
  static const CallLayout& of(trace::FunctionId function);

  trace::FunctionId function() const { return function_; }
  bool has(Slot slot) const { return columns_[static_cast<std::size_t>(slot)] >= 0; }
  // Sets a scalar; nothing if the function does not have it.
  void set(trace::Event& event, Slot slot, std::int64_t value) const {
    if (has(slot)) event.scalars[column(slot)] = value;
  }
  std::int64_t get(const trace::Event& event, Slot slot) const {
    return event.scalars[column(slot)];
  }
  // REQUIRES: has(slot), and it is a list.
  std::vector<std::int64_t>& list(trace::Event& event, Slot slot) const {
    return event.lists[column(slot)];
  }
  const std::vector<std::int64_t>& list(const trace::Event& event, Slot slot) const {
    return event.lists[column(slot)];
  }
  // Scalars as trace::default_of() says, lists empty.
  const trace::Event& blank() const { return blank_; }

 private:
  explicit CallLayout(trace::FunctionId function);

  std::size_t column(Slot slot) const {
    return static_cast<std::size_t>(columns_[static_cast<std::size_t>(slot)]);
  }

  trace::FunctionId function_;
  std::array<std::int8_t, kSlots> columns_;
  trace::Event blank_;
};

}  // namespace reprise::convert
