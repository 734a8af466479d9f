#include "generate/c_call_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace reprise::generate {

using K = ArgumentKind;

namespace {

bool is_sent(const Argument& a) { return a.kind == K::sendbuf; }

// So many blocks of the count.
std::string blocks_text(Draft& d, const Argument& a, const std::string& count) {
  const auto times = [&](const std::string& helper, const std::string& more) {
    d.tools.source.need(helper);
    return fmt::format("(long long){} * {}({}{})", operand(count), helper,
                       d.columns.communicator(), more);
  };
  switch (a.blocks) {
    case Blocks::one: return count;
    case Blocks::members: return times("size_of", "");
    case Blocks::local_members: return times("local_size", "");
    case Blocks::sources: return times("degree", ", 1");
    case Blocks::destinations: return times("degree", ", 0");
  }
  return count;
}

// Room for blocks of a list of counts.
std::string listed_text(Draft& d, const Argument& a) {
  const auto at = [](int index) { return static_cast<std::size_t>(index); };
  const auto kind = [&](int index) { return d.columns.arguments()[at(index)].kind; };
  const std::string displs = a.displacements < 0 ? "NULL" : d.texts[at(a.displacements)];
  const bool typed_each = kind(a.datatype) == K::datatypes;
  const bool wide = a.displacements >= 0 && kind(a.displacements) == K::aints;
  const char* room = !typed_each ? "room_v" : wide ? "room_a" : "room_w";
  d.tools.source.need(room);
  d.tools.source.need("space");
  return fmt::format("space({}, {}({}, {}, {}, {}))", is_sent(a) ? 0 : 1, room,
                     d.lists[at(a.count)].length, d.texts[at(a.count)], displs,
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

// Where a root changes, only the root of the moment has a buffer of what all send or get.
std::optional<std::string> root_buffer(Draft& d, const Argument& a, const std::string& ordinary) {
  const Seen seen = seen_by(d.columns.scalar(a), d.point.streams, d.point.times);
  if (seen.is_constant_each() || d.columns.communicator() != "MPI_COMM_WORLD") return std::nullopt;
  for (std::size_t i = 0; i < seen.distinct.size(); ++i) {
    trace::SeriesCursor cursor(seen.distinct[i]);
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(seen.length[i], 1 << 16); ++k) {
      const std::int64_t v = cursor.next();
      if (v != 0 && v != trace::kNone) return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < d.texts.size(); ++i) {
    if (d.columns.arguments()[i].kind != K::root || d.texts[i].empty()) continue;
    return fmt::format("rank == {} ? {} : NULL", operand(d.texts[i]), ordinary);
  }
  return std::nullopt;
}

// Whether the text of the argument is that of an ordinary buffer of the elements that stand
// `ahead` arguments behind it.
bool is_ordinary(Draft& d, std::size_t i, std::size_t ahead) {
  const auto all = d.columns.arguments();
  if (i + ahead + 1 >= all.size()) return false;
  const Argument& a = all[i];
  const bool is_buffer = a.kind == K::sendbuf || a.kind == K::recvbuf || a.kind == K::sendrecvbuf;
  return is_buffer && a.blocks == Blocks::one && a.count == static_cast<int>(i + ahead) &&
         a.datatype == static_cast<int>(i + ahead + 1) &&
         all[i + ahead].kind == K::count && d.texts[i] == memory_text(d, a);
}

// The macro that is the buffer at `i` with its count and datatype, or both buffers; and how many
// arguments that are.
struct Macro {
  std::string_view name;
  std::size_t arguments = 0;
};

std::optional<Macro> macro_at(Draft& d, std::size_t i) {
  const auto all = d.columns.arguments();
  if (is_ordinary(d, i, 1)) {
    const std::string_view how = scaling(d, all[i + 1]);
    if (how == "sent" && is_sent(all[i])) return Macro{"OUT", 3};
    if (how == "received" && !is_sent(all[i])) return Macro{"IN", 3};
    if (how == "scaled") return Macro{is_sent(all[i]) ? "FROM" : "INTO", 3};
  }
  if (is_ordinary(d, i, 2) && is_ordinary(d, i + 1, 1) && is_sent(all[i]) && !is_sent(all[i + 1]) &&
      scaling(d, all[i + 2]) == "scaled")
    return Macro{"BOTH", 4};
  return std::nullopt;
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

std::string buffer_text(Draft& d, std::size_t argument) {
  const Argument& a = d.columns.arguments()[argument];
  const std::string ordinary = memory_text(d, a);
  const auto word = [&ordinary](std::int64_t v) -> std::string {
    if (v == trace::kInPlace) return "MPI_IN_PLACE";
    if (v == trace::kBottom) return "MPI_BOTTOM";
    return v == trace::kNone ? "NULL" : ordinary;
  };
  if (const auto text = root_buffer(d, a, ordinary)) return *text;
  return d.columns.number(a, {"void *", word, false, true});
}

std::string base_text(Draft& d, std::size_t argument) {
  d.tools.source.need("memory");
  std::string size = "0";
  for (std::size_t i = 0; i < d.texts.size(); ++i) {
    if (d.columns.arguments()[i].name == "size") size = d.texts[i];
  }
  const std::string ordinary = fmt::format("memory({}, {})", d.site, size);
  const auto word = [&](std::int64_t v) {
    return v == trace::kBottom ? std::string("MPI_BOTTOM") : ordinary;
  };
  return d.columns.number(d.columns.arguments()[argument], {"void *", word, false});
}

std::string passed(Draft& d) {
  std::string out;
  for (std::size_t i = 0; i < d.texts.size();) {
    out += out.empty() ? "" : ", ";
    const auto macro = macro_at(d, i);
    if (!macro) {
      out += d.texts[i++];
      continue;
    }
    d.tools.source.need(std::string(macro->name));
    std::string count = d.texts[i + macro->arguments - 2];
    const std::string how = std::string(scaling(d, d.columns.arguments()[i + macro->arguments - 2])) + "(";
    if (count.starts_with(how)) count = count.substr(how.size(), count.size() - how.size() - 1);
    out += fmt::format("{}({}, {})", macro->name, count, d.texts[i + macro->arguments - 1]);
    i += macro->arguments;
  }
  return out;
}

}  // namespace reprise::generate
