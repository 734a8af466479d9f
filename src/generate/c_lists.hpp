// List parameters of calls as C arrays.
#pragma once

#include <optional>
#include <string>

#include "generate/c_values.hpp"

namespace reprise::generate {

// A list column: how long each list is, and the elements of all lists one behind the other.
struct ListColumn {
  const trace::Value& length;
  const trace::Value& elements;
  bool is_of_root = false;  // it counts at a root only; elsewhere any will do
};

struct ListText {
  std::string before;  // a statement that goes before the call; may be empty
  std::string length;
  std::string array;  // null pointer where it is always empty
  bool is_addresses =
      false;  // the elements are places of blocks, of which memory has to be laid out
};

class Lists {
 public:
  Lists(Values& values, Source& source) : values_(values), source_(source) {}

  // `reading.type` is that of an element: "int", "MPI_Aint", "int[3]" or a handle.
  ListText write(const ListColumn& list, Point& point, const Reading& reading,
                 const std::string& name);
  // Text of the trace as a string literal.
  std::string string(const ListColumn& list, Point& point, const std::string& name);
  // The list that the streams have in each execution, if it is one and the same for all.
  std::optional<std::vector<std::int64_t>> only_list(const ListColumn& list, const Point& point);
  // The m of each stream, if every list is m + n - 1, m + n - 2, ..., m.
  static std::optional<std::vector<std::int64_t>> counts_down(const ListColumn& list,
                                                              const Point& point);
  // How long the lists are.
  std::string length(const ListColumn& list, Point& point, const std::string& name) {
    return values_.at(list.length, point, {}, name);
  }

 private:
  // The one list that all have who have one.
  static std::optional<std::vector<std::int64_t>> only_filled(const ListColumn& list,
                                                              const Point& point);
  // The one list that all lists are beginnings of.
  static std::optional<std::vector<std::int64_t>> only_beginnings(const ListColumn& list,
                                                                  const Point& point);
  // A list of nothing but one datatype.
  std::optional<std::string> of_one_kind(const std::vector<std::int64_t>& list,
                                         const Reading& reading);
  // The one list of each stream, if no stream's list ever changes.
  std::optional<std::vector<std::vector<std::int64_t>>> fixed(const ListColumn& list,
                                                              const Point& point);
  ListText write_fixed(const std::vector<std::vector<std::int64_t>>& lists, Point& point,
                       const Reading& reading, const std::string& name);
  ListText write_varying(const ListColumn& list, Point& point, const Reading& reading,
                         const std::string& name);
  // The lists as an array of the lists of each rank and execution; nothing if a table is shorter.
  std::optional<std::string> by_execution(const Seen& seen, std::size_t length, Point& point,
                                          const Reading& reading, const std::string& name);
  ListText write_alike(const ListColumn& list, const Seen& seen, Point& point,
                       const Reading& reading, const std::string& name);
  std::string by_element(const std::vector<std::vector<std::int64_t>>& lists, Point& point,
                         const Reading& reading);
  std::string literal(const std::vector<std::int64_t>& list, const Reading& reading) const;

  Values& values_;
  Source& source_;
};

// The C literal of a text.
std::string quoted(const std::vector<std::int64_t>& characters);

}  // namespace reprise::generate
