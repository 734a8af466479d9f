// The values of a trace as C expressions: a number, an expression of the rank or of the loops
// around, or a table and the place in it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "generate/c_source.hpp"
#include "generate/place.hpp"
#include "generate/rank_laws.hpp"
#include "generate/round.hpp"
#include "generate/seen.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

// Where a value is asked for: which streams ask, how often each, and how to say how often before.
struct Point {
  const Streams& streams;
  TimesOf times;
  const Place& place;
  std::string counter;  // C: how often this stream has asked before, where the place does not tell
  bool is_counted = false;  // the counter was used
  bool goes_on = false;     // in the main loop, which may be asked to make more trips
  bool wraps = false;       // then numbers begin anew, whatever they would go on as
  // The loop around, each trip of which comes by once: how many it makes, its index, and whether
  // there is nothing else in it.
  const trace::Value* trips = nullptr;
  std::string index = {};
  bool is_alone = false;
  // What the counter is beyond a counter.
  Round round = {};

  std::string place_text() const { return place.is_known() ? place.text() : counter; }
  std::string k() {
    is_counted |= !place.is_known();
    return place_text();
  }
  // What is left over of it from a division, and how often it is contained.
  std::string remainder(std::int64_t period);
  std::string quotient(std::int64_t period);
};

// What the numbers of a value are in C.
struct Reading {
  std::string type = "long long";
  // A number in C. What has none is itself, special values apart; then it may be computed.
  std::function<std::string(std::int64_t)> word = {};
  bool is_number = true;   // words may be told by helpers as well; handles may not
  bool says_none = false;  // that nothing was recorded means something; else any value will do
  bool settles = false;    // behind the last that is known it may stay as that was
};

// Whether an array of so much text is to be preferred to a table, which needs explanation, and what
// reads it [characters].
bool is_readable(std::size_t array, std::size_t table);

class Values {
 public:
  Values(const trace::Trace& trace, RankLaws& laws, Source& source)
      : trace_(trace), laws_(laws), source_(source) {}

  // The value at the point. `name` is for a table, if it takes one.
  std::string at(const trace::Value& value, Point& point, const Reading& reading,
                 const std::string& name);

  // The same of what streams see.
  std::string at(const Seen& seen, Point& point, const Reading& reading, const std::string& name);

  // Whether the streams see so little that it is an array by rank and place.
  bool is_short(const Streams& streams, const Seen& seen, const Reading& reading = {}) const;

  // A list for each stream as a row of an array; nothing if that is too large. The array itself
  // if all have one list. `only_of`: a type that the numbers must fit, if not empty.
  std::optional<std::string> rows(const Streams& streams,
                                  const std::vector<std::vector<std::int64_t>>& lists,
                                  const std::vector<std::size_t>& which, const Reading& reading,
                                  const std::string& name, std::string_view only_of = "");

  // The same of rows that are written already, of elements of this type and extent.
  std::string rows_of(const Streams& streams, const std::vector<std::size_t>& which,
                      const std::vector<std::vector<std::string>>& rows, const std::string& type,
                      const std::string& extent, const std::string& name);

  // The text that belongs to each stream, by what is in `which`: one of the texts.
  std::string choose(const Streams& streams, const std::vector<std::size_t>& which,
                     const std::vector<std::string>& texts, const std::string& type,
                     const std::string& name);

  // The number of each stream.
  std::string by_stream(const Streams& streams, const std::vector<std::int64_t>& values,
                        const Reading& reading, const std::string& name);
  // The same if it takes no table.
  std::optional<std::string> law(const Streams& streams, const std::vector<std::int64_t>& values,
                                 const Reading& reading);

  // A C pointer to the table of what each stream sees, whose entries the helper `of` reads.
  std::string table_of(const Streams& streams, const Seen& seen, const std::string& name);

  // The condition for a stream of `coming` to be among `inside`.
  std::string condition(const Streams& coming, const Streams& inside);

  // An entry of a series.
  std::string entry(const trace::Series& series, std::uint64_t n, Point& point,
                    const Reading& reading, const std::string& name);

 private:
  // What tells streams apart: the variable, and what it is on a stream.
  struct Axis {
    std::string variable;
    std::uint64_t divisor, modulus;
    std::int64_t of(std::uint64_t s) const {
      return static_cast<std::int64_t>(s / divisor % modulus);
    }
  };

  Axis axis(const Streams& streams, const std::vector<std::int64_t>& values) const;
  static ByRank samples_of(const Axis& axis, const Streams& streams,
                           const std::vector<std::int64_t>& values);
  std::string stream_table(const Streams& streams, const std::vector<std::int64_t>& values,
                           const std::string& name);
  static Seen apart_by_length(const Seen& seen, const Point& point);
  // A plain number of a series, among n.
  std::string number(const trace::Series& series, std::uint64_t n, Point& point,
                     const Reading& reading, const std::string& name);
  // What each of several series has at the place, as an array by rank and place; empty: it is too
  // large for one.
  std::string by_rank_and_place(const Streams& streams, const Seen& seen, Point& point,
                                const Reading& reading, const std::string& name);
  // Rows that an array has already; nothing if there is none. `own_name`: of what they would be.
  std::optional<std::string> rows_of_another(const Streams& streams,
                                             const std::vector<std::size_t>& which,
                                             const std::vector<std::string>& rows,
                                             const std::string& type, const std::string& extents,
                                             const std::string& own_name);
  // The same of series that keep each number for a while; empty: they do not.
  std::string by_runs(const Streams& streams, const Seen& seen, Point& point,
                      const std::string& name);
  // A number in an array, in which constants of MPI are themselves unless they are read as numbers.
  std::string array_word(std::int64_t v, const Reading& reading = {});
  // The condition that holds on some streams: a law, or nothing.
  std::optional<std::string> condition_law(const Streams& streams,
                                           const std::vector<std::int64_t>& holds);
  std::string in_c(const expr::Expr& e, const Axis& axis);
  // Whether the loop around makes as many trips on each stream as it has in `periods`.
  static bool is_pass_of_loop(const Point& point, const std::vector<std::int64_t>& periods);

  const trace::Trace& trace_;
  RankLaws& laws_;
  Source& source_;
};

}  // namespace reprise::generate
