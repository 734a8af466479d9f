#include "trace/file/unfinished.hpp"

#include <algorithm>
#include <utility>

#include "trace/calls/posix.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kMemoryRatio = 1024;  // for each byte of the section

Value no_trips() { return Value::constant(0); }

std::vector<Section>::const_iterator find_section(const Trace& trace) {
  return std::ranges::find(trace.sections, kUnfinishedSection, &Section::name);
}

Unfinished decode_section(const Section& section, std::size_t callpaths, std::string& problem) {
  ByteReader in(section.content.data(), section.content.size());
  in.limit_memory(kMemoryRatio * section.content.size());
  Unfinished out = Unfinished::decode(in, callpaths, section.version);
  if (!in.failed() && !in.at_end()) in.fail("data behind the end");
  problem = in.problem();
  return out;
}

void add_calls(const Unfinished& unfinished, Trace& out) {
  for (const UnfinishedCall& u : unfinished.calls) {
    Item item;
    item.trips = u.trips;
    item.call = static_cast<std::uint32_t>(out.calls.size());
    out.calls.push_back(u.call);
    if (!out.times.empty()) out.times.emplace_back();
    out.root.body.push_back(std::move(item));
  }
}

}  // namespace

bool Unfinished::empty() const {
  return calls.empty() && waited == no_trips() && missing == no_trips() && signal == no_trips();
}

void Unfinished::encode(ByteWriter& out) const {
  waited.encode(out);
  missing.encode(out);
  signal.encode(out);
  is_signal_elsewhere.encode(out);
  out.varint(calls.size());
  for (const UnfinishedCall& u : calls) {
    out.text(name_in_file(u.call.function));
    out.varint(u.call.columns.size());
    out.varint(u.call.callpath);
    for (const Value& v : u.call.columns) v.encode(out);
    u.trips.encode(out);
  }
}

Unfinished Unfinished::decode(ByteReader& in, std::size_t callpaths, std::uint64_t version) {
  Unfinished out;
  out.waited = Value::decode(in);
  out.missing = Value::decode(in);
  if (version > 1) {
    out.signal = Value::decode(in);
    out.is_signal_elsewhere = Value::decode(in);
  }
  for (std::size_t n = in.count_of<UnfinishedCall>(4); n > 0 && !in.failed(); --n) {
    UnfinishedCall& u = out.calls.emplace_back();
    const std::string name = in.text();
    const std::uint64_t columns = in.varint();
    const std::uint64_t callpath = in.varint();
    const auto found = find_in_file(name);
    if (!found || function(*found).columns() != columns)
      return in.fail("the unknown function " + name), out;
    if (callpath >= callpaths) return in.fail("a call path that is not there"), out;
    if (!in.affords<Value>(columns)) return out;
    u.call.function = *found;
    u.call.callpath = static_cast<std::uint32_t>(callpath);
    u.call.columns.resize(columns);
    for (Value& v : u.call.columns) v = Value::decode(in);
    u.trips = Value::decode(in);
  }
  return out;
}

std::optional<Unfinished> unfinished_of(const Trace& trace) {
  const auto section = find_section(trace);
  if (section == trace.sections.end()) return std::nullopt;
  std::string problem;
  return decode_section(*section, trace.callpaths.size(), problem);
}

void set_unfinished(Trace& trace, const Unfinished& unfinished) {
  std::erase_if(trace.sections, [](const Section& s) { return s.name == kUnfinishedSection; });
  if (unfinished.empty()) return;
  ByteWriter out;
  unfinished.encode(out);
  trace.sections.push_back({std::string(kUnfinishedSection), kUnfinishedVersion, out.take()});
}

std::string problem_of_unfinished(const Trace& trace) {
  const auto section = find_section(trace);
  if (section == trace.sections.end()) return {};
  if (section->version < 1 || section->version > kUnfinishedVersion)
    return "a version of a section that is not known";
  std::string problem;
  decode_section(*section, trace.callpaths.size(), problem);
  return problem;
}

Trace with_unfinished(const Trace& trace) {
  Trace out = trace;
  out.sections.clear();
  const auto unfinished = unfinished_of(trace);
  if (!unfinished) return out;
  if (out.root.trips != Value::constant(1)) {  // a rank of which no more is known may be in a call
    Item program = std::exchange(out.root, {});
    out.root.body.push_back(std::move(program));
  }
  add_calls(*unfinished, out);
  return out;
}

Trace only_unfinished(const Trace& trace) {
  Trace out = trace;
  out.sections.clear();
  out.calls.clear();
  out.times.clear();
  out.timing = {};
  out.losses.clear();
  out.root = {};
  if (const auto unfinished = unfinished_of(trace)) add_calls(*unfinished, out);
  return out;
}

}  // namespace reprise::trace
