#include "generate/c_call_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace reprise::generate {

using K = ArgumentKind;

namespace {

bool is_sent(const Argument& a) { return a.kind == K::sendbuf; }

constexpr std::uint64_t kMaxLooked = 1 << 20;  // values of a column

std::string buffer_word(std::int64_t v, const std::string& ordinary) {
  if (v == trace::kInPlace) return "MPI_IN_PLACE";
  if (v == trace::kBottom) return "MPI_BOTTOM";
  return v == trace::kNone ? "NULL" : ordinary;
}

// A macro takes the commas of an array for its own.
std::string parenthesised(const std::string& text) {
  return text.find('{') == std::string::npos ? text : "(" + text + ")";
}

// Whether some communicator may have ranks on another side.
bool has_remote_groups(const Draft& d) {
  return std::ranges::any_of(d.tools.trace.calls, [](const trace::Call& c) {
    return trace::function(c.function).traits & trace::traits::kInter;
  });
}

// Whether blocks for each member are those of all ranks, wherever there are such.
bool are_of_world(const Draft& d) {
  return std::ranges::all_of(d.tools.trace.calls, [&](const trace::Call& c) {
    return d.tools.peers.is_world(c) ||
           std::ranges::none_of(arguments(c.function), [](const Argument& a) {
             return a.blocks == Blocks::members || a.blocks == Blocks::local_members;
           });
  });
}

// So many blocks of the count.
std::string blocks_text(Draft& d, const Argument& a, const std::string& count) {
  const auto times = [&](const std::string& helper, const std::string& more) {
    d.tools.source.need(helper);
    return fmt::format("(long long){} * {}({}{})", operand(count), helper, d.columns.communicator(),
                       more);
  };
  switch (a.blocks) {
    case Blocks::one: return count;
    case Blocks::members:
      if (are_of_world(d)) return fmt::format("(long long){} * ranks", operand(count));
      return times("size_of", "");
    case Blocks::local_members:
      if (are_of_world(d)) return fmt::format("(long long){} * ranks", operand(count));
      return times(has_remote_groups(d) ? "local_size" : "size_of", "");
    case Blocks::sources: return times("degree", ", 1");
    case Blocks::destinations: return times("degree", ", 0");
    case Blocks::partitions: {
      const auto n = std::ranges::find(d.columns.arguments(), K::length, &Argument::kind);
      const std::string& partitions =
          d.texts[static_cast<std::size_t>(n - d.columns.arguments().begin())];
      return fmt::format("(long long){} * {}", operand(count), operand(partitions));
    }
  }
  return count;
}

// Room for blocks of a list of counts.
std::string listed_text(Draft& d, const Argument& a) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  const auto kind = [&](int index) { return d.columns.arguments()[at(index)].kind; };
  const std::string displs = a.displacements < 0 ? "NULL" : d.texts[at(a.displacements)];
  const std::string &n = d.lists[at(a.count)].length, &counts = d.texts[at(a.count)];
  if (displs == "NULL" || displs.starts_with("packed(")) {
    const char* how = is_sent(a) ? "out" : "in";
    d.tools.source.need(how);
    return fmt::format("{}(total({}, {}), {})", how, n, counts, d.texts[at(a.datatype)]);
  }
  const bool typed_each = kind(a.datatype) == K::datatypes;
  const bool wide = a.displacements >= 0 && kind(a.displacements) == K::aints;
  const char* room = !typed_each ? "room_v" : wide ? "room_a" : "room_w";
  d.tools.source.need(room);
  d.tools.source.need("space");
  return fmt::format("space({}, {}({}, {}, {}, {}))", is_sent(a) ? 0 : 1, room, n, counts, displs,
                     d.texts[at(a.datatype)]);
}

// An ordinary buffer, as large as it has to be.
std::string memory_text(Draft& d, const Argument& a) {
  const char* how = is_sent(a) ? "out" : "in";
  if (a.count >= 0 && a.datatype >= 0 &&
      d.columns.arguments()[static_cast<std::size_t>(a.count)].is_list)
    return listed_text(d, a);
  d.tools.source.need(how);
  // The second half of a split collective has neither.
  if (a.datatype < 0) return fmt::format("{}(0, MPI_BYTE)", how);
  const std::string count = a.count < 0 ? "1" : d.texts[static_cast<std::size_t>(a.count)];
  return fmt::format("{}({}, {})", how, blocks_text(d, a, count),
                     d.texts[static_cast<std::size_t>(a.datatype)]);
}

// Where a root changes, its buffer may be another one than that of the others: none, or in place.
// The text for the root of the moment and for the others, if that is what tells them apart.
std::optional<std::string> root_buffer(Draft& d, const Argument& a, const std::string& ordinary) {
  const auto arguments = d.columns.arguments();
  const auto root = std::ranges::find(arguments, K::root, &Argument::kind);
  if (root == arguments.end() || d.columns.communicator() != "WORLD") return std::nullopt;
  const trace::Value &roots = d.columns.scalar(*root), &buffers = d.columns.scalar(a);
  const std::string& written = d.texts[static_cast<std::size_t>(root - arguments.begin())];
  if (roots.is_constant() || roots.encoding != trace::Encoding::absolute || written.empty())
    return std::nullopt;
  std::optional<std::int64_t> elsewhere;
  std::map<std::uint64_t, std::int64_t> at_root;  // by stream
  std::uint64_t looked = 0;
  for (const std::uint64_t s : d.point.streams) {
    trace::ValueCursor root_of(roots, s), buffer_of(buffers, s);
    for (std::uint64_t k = 0; k < d.point.times(s); ++k) {
      const bool is_root = root_of.next() == static_cast<std::int64_t>(s / d.tools.trace.threads);
      const std::int64_t v = buffer_of.next();
      if (++looked > kMaxLooked) return std::nullopt;
      if (is_root && at_root.try_emplace(s, v).first->second != v) return std::nullopt;
      if (!is_root && elsewhere.value_or(v) != v) return std::nullopt;
      if (!is_root) elsewhere = v;
    }
  }
  Streams roots_of_any, others;  // those that have something else as root
  std::set<std::int64_t> own;
  for (const auto& [s, v] : at_root) {
    roots_of_any.push_back(s);
    if (v == elsewhere) continue;
    others.push_back(s);
    own.insert(v);
  }
  if (!elsewhere || own.size() != 1) return std::nullopt;
  std::string condition = fmt::format("rank == {}", operand(written));
  if (others.size() < roots_of_any.size())
    condition += " && " + operand(d.tools.values.condition(roots_of_any, others));
  return fmt::format("{} ? {} : {}", condition, buffer_word(*own.begin(), ordinary),
                     buffer_word(*elsewhere, ordinary));
}

// The buffer at `i` with the arguments behind it that say how large it is, as one macro.
struct Macro {
  std::string name;
  std::size_t arguments = 0;  // of the call
  std::vector<std::string> passed = {};
};

bool is_buffer(const Argument& a) {
  return a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf;
}

// The count without what makes it larger or smaller.
std::string bare_count(const Draft& d, std::size_t i) {
  const std::string how = std::string(scaling(d, d.columns.arguments()[i])) + "(";
  const std::string& text = d.texts[i];
  return text.starts_with(how) ? text.substr(how.size(), text.size() - how.size() - 1) : text;
}

// Whether the text of the argument is that of an ordinary buffer of the elements that stand
// `ahead` arguments behind it.
bool is_ordinary(Draft& d, std::size_t i, std::size_t ahead) {
  const auto all = d.columns.arguments();
  if (i + ahead + 1 >= all.size()) return false;
  const Argument& a = all[i];
  return is_buffer(a) && a.count == static_cast<int>(i + ahead) &&
         a.datatype == static_cast<int>(i + ahead + 1) && all[i + ahead].kind == K::count &&
         d.texts[i] == memory_text(d, a);
}

std::optional<Macro> macro_of_blocks(Draft& d, std::size_t i) {
  const Argument& a = d.columns.arguments()[i];
  const std::string_view how = scaling(d, d.columns.arguments()[i + 1]);
  const std::vector<std::string> passed{bare_count(d, i + 1), d.texts[i + 2]};
  if (a.blocks == Blocks::one) {
    if (how == "sent" && is_sent(a)) return Macro{"OUT", 3, passed};
    if (how == "received" && !is_sent(a)) return Macro{"IN", 3, passed};
    if (how == "scaled") return Macro{is_sent(a) ? "FROM" : "INTO", 3, passed};
    return std::nullopt;
  }
  if (how != "scaled" || a.blocks == Blocks::local_members || a.blocks == Blocks::partitions)
    return std::nullopt;
  const bool is_all = a.blocks == Blocks::members;
  const std::string name =
      fmt::format("{}_{}", is_sent(a) ? "FROM" : "INTO", is_all ? "ALL" : "NEIGHBORS");
  if (!is_all || !are_of_world(d))
    return Macro{name, 3, {passed[0], passed[1], d.columns.communicator()}};
  d.tools.source.need("of_world");
  return Macro{name, 3, passed};
}

// A buffer, counts, displacements and datatypes.
std::optional<Macro> macro_of_list(Draft& d, std::size_t i) {
  const auto all = d.columns.arguments();
  const auto at = static_cast<int>(i);
  if (i + 3 >= all.size() || !is_buffer(all[i]) || all[i].count != at + 1 ||
      all[i].displacements != at + 2 || all[i].datatype != at + 3 || d.counts[i + 1].empty() ||
      d.texts[i] != memory_text(d, all[i]))
    return std::nullopt;
  const char* how = is_sent(all[i]) ? "FROM" : "INTO";
  const std::string &n = d.lists[i + 1].length, counts = parenthesised(d.counts[i + 1]);
  const std::string types = parenthesised(d.texts[i + 3]);
  if (d.texts[i + 2].starts_with("packed("))
    return Macro{fmt::format("{}_P", how), 4, {n, counts, types}};
  const char* which = all[i + 3].kind != K::datatypes ? "V"
                      : all[i + 2].kind == K::aints   ? "A"
                                                      : "W";
  return Macro{
      fmt::format("{}_{}", how, which), 4, {n, counts, parenthesised(d.texts[i + 2]), types}};
}

// No buffer at all where a call works in place.
bool is_in_place(const Draft& d, std::size_t i) {
  return i + 2 < d.texts.size() && d.texts[i] == "MPI_IN_PLACE" && d.texts[i + 1] == "0" &&
         d.texts[i + 2] == "MPI_BYTE";
}

// What is sent and received alike, with a block for each member.
std::optional<Macro> macro_of_both(Draft& d, std::size_t i) {
  const auto all = d.columns.arguments();
  if (i + 3 >= all.size() || !is_buffer(all[i]) || !is_buffer(all[i + 1])) return std::nullopt;
  const auto has = [&](const Argument& a) {
    return a.count == static_cast<int>(i + 2) && a.datatype == static_cast<int>(i + 3);
  };
  if (!has(all[i]) || !has(all[i + 1]) || !is_sent(all[i]) || is_sent(all[i + 1]) ||
      d.texts[i] != memory_text(d, all[i]) || d.texts[i + 1] != memory_text(d, all[i + 1]))
    return std::nullopt;
  if (all[i + 2].is_list && !d.counts[i + 2].empty())
    return Macro{
        "BOTH_V", 4, {d.lists[i + 2].length, parenthesised(d.counts[i + 2]), d.texts[i + 3]}};
  if (all[i + 2].is_list || !are_of_world(d) || scaling(d, all[i + 2]) != "scaled" ||
      all[i].blocks == Blocks::one || all[i + 1].blocks == Blocks::one)
    return std::nullopt;
  return Macro{"BOTH_ALL", 4, {bare_count(d, i + 2), d.texts[i + 3]}};
}

// A list for a function that takes wider numbers than int.
bool is_wide_list(const Argument& a) { return a.is_list && a.kind != K::length && is_wide(a); }

// A list that is written in int, as the function takes it.
std::string widened(Draft& d, std::size_t i) {
  const Argument& a = d.columns.arguments()[i];
  if (!is_wide_list(a) || d.texts[i] == "NULL") return d.texts[i];
  const char* how = a.type.find("MPI_Aint") != std::string_view::npos ? "as_aints" : "as_counts";
  if (a.kind == K::aints) how = "aints_as_counts";
  d.tools.source.need(how);
  return fmt::format("{}({}, {})", how, d.lists[i].length, d.texts[i]);
}

std::optional<Macro> macro_at(Draft& d, std::size_t i) {
  // The macros take lists of int.
  const auto some = d.columns.arguments().subspan(i, std::min<std::size_t>(4, d.texts.size() - i));
  if (std::ranges::any_of(some, is_wide_list)) return std::nullopt;
  if (is_ordinary(d, i, 1)) return macro_of_blocks(d, i);
  const auto all = d.columns.arguments();
  if (is_ordinary(d, i, 2) && is_ordinary(d, i + 1, 1) && is_sent(all[i]) && !is_sent(all[i + 1]) &&
      all[i].blocks == Blocks::one && all[i + 1].blocks == Blocks::one &&
      scaling(d, all[i + 2]) == "scaled")
    return Macro{"BOTH", 4, {bare_count(d, i + 2), d.texts[i + 3]}};
  if (auto both = macro_of_both(d, i)) return both;
  return macro_of_list(d, i);
}

// A buffer that is the ordinary one where a condition holds, and else another word.
struct Choice {
  std::string condition, other;
};

std::string negated(const std::string& condition) {
  for (const auto& [is, is_not] : {std::pair(" == ", " != "), std::pair(" != ", " == ")}) {
    const std::size_t at = condition.find(is);
    const bool is_one = at != std::string::npos &&
                        condition.find('=', at + 4) == std::string::npos &&
                        condition.find_first_of("&|?<>") == std::string::npos;
    if (is_one) return condition.substr(0, at) + is_not + condition.substr(at + 4);
  }
  return fmt::format("!({})", condition);
}

std::optional<Choice> choice_of(const std::string& text, const std::string& ordinary) {
  const std::string inner = inside(text);
  int depth = 0;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '(' || inner[i] == '[') ++depth;
    if (inner[i] == ')' || inner[i] == ']') --depth;
    if (depth > 0 || inner.compare(i, 3, " ? ") != 0) continue;
    const std::string condition = inner.substr(0, i), rest = inner.substr(i + 3);
    for (const char* other : {"NULL", "MPI_IN_PLACE", "MPI_BOTTOM"}) {
      if (rest == fmt::format("{} : {}", ordinary, other)) return Choice{condition, other};
      if (rest == fmt::format("{} : {}", other, ordinary)) return Choice{negated(condition), other};
    }
    break;
  }
  return std::nullopt;
}

// The same where the buffer is the ordinary one under a condition.
std::optional<Macro> macro_where(Draft& d, std::size_t i) {
  const Argument& a = d.columns.arguments()[i];
  if (!is_buffer(a) || d.texts[i].empty()) return std::nullopt;
  const std::string ordinary = memory_text(d, a);
  const auto choice = choice_of(d.texts[i], ordinary);
  if (!choice) return std::nullopt;
  std::string text = ordinary;
  std::swap(text, d.texts[i]);
  auto macro = macro_at(d, i);
  std::swap(text, d.texts[i]);
  if (!macro) return std::nullopt;
  d.tools.source.need(macro->name);
  return Macro{"WHERE",
               macro->arguments,
               {parenthesised(choice->condition), choice->other,
                fmt::format("{}({})", macro->name, fmt::join(macro->passed, ", "))}};
}

}  // namespace

std::string_view scaling(const Draft& d, const Argument& count) {
  if (d.columns.has(K::message)) return {};
  switch (count.scale) {
    case Scale::none: return {};
    case Scale::sent: return "sent";
    case Scale::received: return "received";
    case Scale::all: return "scaled";
  }
  return {};
}

bool are_packed(const Draft& d, const Argument& displacements, const Argument& counts) {
  const ListColumn at = d.columns.list(displacements), of = d.columns.list(counts);
  std::uint64_t looked = 0;
  for (const std::uint64_t s : d.point.streams) {
    trace::ValueCursor lengths(at.length, s), places(at.elements, s), sizes(of.elements, s),
        count_lengths(of.length, s);
    for (std::uint64_t k = 0; k < d.point.times(s); ++k) {
      const std::int64_t n = lengths.next();
      if (count_lengths.next() != n) return false;
      std::int64_t next = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        if (places.next() != next || ++looked > kMaxLooked) return false;
        next = trace::wrapping_add(next, sizes.next());
      }
    }
  }
  return looked > 0;
}

std::string buffer_text(Draft& d, std::size_t argument) {
  const Argument& a = d.columns.arguments()[argument];
  const std::string ordinary = memory_text(d, a);
  const auto word = [&ordinary](std::int64_t v) { return buffer_word(v, ordinary); };
  if (const auto text = root_buffer(d, a, ordinary)) return *text;
  return d.columns.number(a, {"void *", word, false, true});
}

std::string base_text(Draft& d, std::size_t argument) {
  std::string size = "0";
  for (std::size_t i = 0; i < d.texts.size(); ++i) {
    if (d.columns.arguments()[i].name == "size") size = d.texts[i];
  }
  const bool is_once =
      std::ranges::all_of(d.point.streams, [&](std::uint64_t s) { return d.point.times(s) <= 1; });
  d.tools.source.need(is_once ? "grown" : "memory");
  const std::string ordinary = is_once ? fmt::format("grown(NULL, {}, 1)", size)
                                       : fmt::format("memory({}, {})", d.site, size);
  const auto word = [&](std::int64_t v) {
    return v == trace::kBottom ? std::string("MPI_BOTTOM") : ordinary;
  };
  return d.columns.number(d.columns.arguments()[argument], {"void *", word, false});
}

std::string passed(Draft& d) {
  std::string out;
  for (std::size_t i = 0; i < d.texts.size();) {
    out += out.empty() ? "" : ", ";
    if (is_in_place(d, i)) {
      d.tools.source.need("IN_PLACE");
      out += "IN_PLACE";
      i += 3;
      continue;
    }
    auto macro = macro_at(d, i);
    if (!macro) macro = macro_where(d, i);
    if (!macro) {
      out += widened(d, i++);
      continue;
    }
    d.tools.source.need(macro->name);
    out += fmt::format("{}({})", macro->name, fmt::join(macro->passed, ", "));
    i += macro->arguments;
  }
  return out;
}

}  // namespace reprise::generate
