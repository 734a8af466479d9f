#include "compress/parts/part_layout.hpp"

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "compress/check.hpp"
#include "trace/file/file.hpp"

namespace reprise::compress {

namespace {

using Header = PartLayout::Header;
using Slot = PartLayout::Slot;
using State = PartLayout::State;

Error damaged(const std::string& name, const std::string& why) {
  return Error{name + " cannot be read (" + why + "); merge the others without it"};
}

// A process of which no checkpoint is there.
Process blank(const Header& h) {
  Process p;
  p.rank = h.rank;
  p.ranks = h.ranks;
  p.run = h.run;
  p.mpi.assign(h.mpi, strnlen(h.mpi, sizeof h.mpi));
  p.program.assign(h.program, strnlen(h.program, sizeof h.program));
  p.date = h.date;
  p.comms = {{static_cast<std::int64_t>(h.rank), static_cast<std::int64_t>(h.ranks)}, {0, 1}};
  p.own.comms.resize(2);
  p.own.callpaths_kept = static_cast<CallpathMode>(h.callpaths);
  p.own.duration = h.seen > h.began ? (h.seen - h.began) / 1000 : 0;
  return p;
}

// The call paths that were found, up to the first that is not whole.
void read_names(std::span<const std::uint8_t> bytes, CallpathTable& out) {
  ByteReader in(bytes.data(), bytes.size());
  while (!in.at_end() && !in.failed()) {
    const std::string entry = in.text();
    ByteReader table(reinterpret_cast<const std::uint8_t*>(entry.data()), entry.size());
    const CallpathTable read = CallpathTable::decode(table);
    if (!in.failed() && !table.failed()) out.merge(read);
  }
}

// Values of a record that make whole scalars and lists: what is cut off is left out.
std::vector<std::int64_t> whole_record(const trace::Function& f, const Slot& slot) {
  const std::size_t n = std::min<std::size_t>(slot.words, Slot::kWords);
  std::size_t at = f.scalars.size();
  if (n < at) return {};
  for (std::size_t l = 0; l < f.lists.size() && at < n; ++l) {
    const std::int64_t length = slot.record[at];
    if (length < 0 || static_cast<std::uint64_t>(length) >= n - at) break;
    at += 1 + static_cast<std::size_t>(length);
  }
  return {slot.record, slot.record + at};
}

Slot slot_at(std::span<const std::uint8_t> data, std::size_t thread) {
  Slot slot;
  std::memcpy(&slot, data.data() + PartLayout::kPage * (1 + thread), sizeof slot);
  return slot;
}

}  // namespace

Tail PartLayout::tail_of(const Slot& slot, std::uint64_t calls, const CallpathTable& callpaths) {
  Tail tail;
  tail.missing = slot.calls > calls ? slot.calls - calls : 0;
  const bool is_polling = slot.state == static_cast<std::uint64_t>(State::polling);
  const bool is_within =
      slot.state == static_cast<std::uint64_t>(State::within) && slot.calls == slot.before;
  if ((!is_within && !is_polling) || slot.function >= trace::functions().size() ||
      !callpaths.has(slot.callpath)) {
    return tail;
  }
  tail.function = static_cast<trace::FunctionId>(slot.function);
  tail.callpath = slot.callpath;
  tail.waited = slot.waited;
  tail.record = whole_record(trace::function(tail.function), slot);
  tail.is_in_call = !tail.record.empty();
  if (tail.is_in_call) tail.record[0] = static_cast<std::int64_t>(slot.polls);
  return tail;
}

std::uint64_t PartLayout::signal_of(std::span<const std::uint8_t> pages) {
  Header h;
  std::memcpy(&h, pages.data(), sizeof h);
  const bool has_slot = h.signal_slot > 0 && h.signal_slot <= kSlots;
  return has_slot && slot_at(pages, h.signal_slot - 1).begun != h.signal_begun ? 0 : h.signal;
}

void PartLayout::set_signal(std::span<const std::uint8_t> pages, std::vector<Tail>& tails) {
  Header h;
  std::memcpy(&h, pages.data(), sizeof h);
  const std::uint64_t signal = signal_of(pages), slot = h.signal_slot;
  const bool is_elsewhere = slot == 0 || slot > tails.size();
  Tail& tail = is_elsewhere ? tails.front() : tails[slot - 1];
  tail.signal = signal;
  tail.is_signal_elsewhere = signal != 0 && is_elsewhere ? 1 : 0;
}

std::uint64_t PartLayout::hash_of_table() {
  std::uint64_t hash = trace::functions().size();
  for (const trace::Function& f : trace::functions())
    hash = combine(combine(hash, hash_text(f.name)), f.columns());
  return hash;
}

Result<Process> PartLayout::read(std::span<const std::uint8_t> data, const std::string& name) {
  if (!trace::is_part(data) || data.size() < 8 || data[7] != kVersion)
    return Process::decode(data, name);
  if (data.size() < kNames) return damaged(name, "it is cut short");
  Header h;
  std::memcpy(&h, data.data(), sizeof h);
  if (h.table != hash_of_table()) {
    return Error{
        name +
        " cannot be read (it is a part of another version of reprise); merge it with that version"};
  }
  if (h.ranks == 0 || h.rank >= h.ranks || h.ranks > trace::kMaxStreams)
    return damaged(name, "an impossible rank");
  if (h.callpaths > static_cast<std::uint64_t>(CallpathMode::none))
    return damaged(name, "unknown call paths");
  Process p = blank(h);
  const Extent& body = h.bodies[h.body & 1];
  if (body.size > 0) {
    if (body.offset > data.size() || body.size > data.size() - body.offset)
      return damaged(name, "it is cut short");
    Result<Process> read = Process::decode(data.subspan(body.offset, body.size), name);
    if (!read) return read;
    if (read->run != h.run || read->rank != h.rank || read->ranks != h.ranks)
      return damaged(name, "it contradicts itself");
    p = std::move(*read);
  }
  const std::size_t names = std::min<std::size_t>(h.names, kNamesSize);
  if (data.size() < kNames + names) return damaged(name, "it is cut short");
  read_names(data.subspan(kNames, names), p.own.callpaths);
  const std::size_t slots = std::min<std::size_t>(h.slots, kSlots);
  p.tails.resize(std::max(slots, p.streams.size()));
  for (std::size_t t = 0; t < slots; ++t) {
    const std::uint64_t calls = t < p.streams.size() ? p.streams[t].calls : 0;
    p.tails[t] = tail_of(slot_at(data, t), calls, p.own.callpaths);
  }
  p.own.threads = std::max<std::uint64_t>(1, p.tails.size());
  p.streams.resize(p.own.threads);
  p.names.resize(p.own.threads);
  p.tails.resize(p.own.threads);
  set_signal(data, p.tails);
  p.lock = h.lock;
  const std::string problem = problem_of(p);
  if (!problem.empty()) return damaged(name, problem);
  return p;
}

}  // namespace reprise::compress
