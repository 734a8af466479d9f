#include "convert/otf2/definitions.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace reprise::convert::otf2 {
namespace {

struct Group {
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  bool has_global_ranks = false;
  std::vector<std::uint64_t> members;
};

struct Comm {
  OTF2_CommRef self;
  OTF2_GroupRef group, other_group;
  OTF2_CommRef parent;
  bool is_inter = false;
  bool says_creation = false;
};

struct Region {
  OTF2_RegionRef self;
  OTF2_StringRef name, file;
  OTF2_RegionRole role;
  OTF2_Paradigm paradigm;
  std::uint32_t line;
};

struct Location {
  OTF2_LocationRef self;
  OTF2_LocationGroupRef group;
  std::uint64_t events;
  bool is_thread;
};

// The definitions as the archive has them, in its order. Strings may stand behind what uses them.
struct Raw {
  std::unordered_map<OTF2_GroupRef, Group> groups;
  std::vector<Comm> comms;
  std::vector<Region> regions;
  std::vector<Location> locations;
  Definitions out;
};

Raw& raw_of(void* data) { return *static_cast<Raw*>(data); }

OTF2_CallbackCode on_clock(void* data, std::uint64_t resolution, std::uint64_t offset,
                           std::uint64_t, std::uint64_t realtime) {
  Definitions& out = raw_of(data).out;
  out.ticks_per_second = std::max<std::uint64_t>(1, resolution);
  out.begin = offset;
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  if (realtime != OTF2_UNDEFINED_TIMESTAMP)
    out.date = static_cast<std::int64_t>(realtime / kNanosecondsPerSecond);
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  raw_of(data).out.strings[self] = text;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef,
                            OTF2_StringRef, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                            OTF2_RegionFlag, OTF2_StringRef file, std::uint32_t line,
                            std::uint32_t) {
  raw_of(data).regions.push_back({self, name, file, role, paradigm, line});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t n,
                           const std::uint64_t* members) {
  raw_of(data).groups[self] = {
      type, paradigm, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, {members, members + n}};
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_comm(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group,
                          OTF2_CommRef parent, OTF2_CommFlag flags) {
  const bool says = (flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS) != 0;
  raw_of(data).comms.push_back({self, group, OTF2_UNDEFINED_GROUP, parent, false, says});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_inter_comm(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef a,
                                OTF2_GroupRef b, OTF2_CommRef common, OTF2_CommFlag) {
  raw_of(data).comms.push_back({self, a, b, common, true, false});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef,
                              OTF2_LocationType type, std::uint64_t events,
                              OTF2_LocationGroupRef group) {
  raw_of(data).locations.push_back({self, group, events, type == OTF2_LOCATION_TYPE_CPU_THREAD});
  return OTF2_CALLBACK_SUCCESS;
}

Status read_raw(OTF2_Reader* reader, const Complaints& complaints, Raw& raw) {
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks* const callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &raw);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  std::uint64_t read = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  if (code == OTF2_SUCCESS) return {};
  return Error{"its definitions cannot be read: " + complaints.first()};
}

// "MPI_Send" of "MPI_Send", "MPI_Send()" (TAU) and "mpi_send_" (Fortran routines).
std::optional<trace::FunctionId> function_of(std::string name) {
  if (name.ends_with("()")) name.resize(name.size() - 2);
  if (const auto found = trace::find_function(name)) return found;
  if (!name.starts_with("mpi_")) return std::nullopt;
  while (name.ends_with('_')) name.pop_back();
  name.replace(0, 4, "MPI_");
  if (name.size() > 4) name[4] = static_cast<char>(std::toupper(name[4]));
  return trace::find_function(name);
}

bool is_name_of_mpi(std::string_view name) {
  return name.starts_with("MPI_") || name.starts_with("mpi_") || name.starts_with("PMPI_");
}

void put_regions(Raw& raw) {
  using Kind = RegionDefinition::Kind;
  for (const Region& r : raw.regions) {
    RegionDefinition& region = raw.out.region_of[r.self];
    const std::string name = raw.out.text(r.name);
    const auto function = function_of(name);
    if (function) {
      region = {Kind::call, 0, *function};
    } else if (r.role == OTF2_REGION_ROLE_ARTIFICIAL || r.paradigm == OTF2_PARADIGM_MPI ||
               is_name_of_mpi(name)) {
      region.kind = Kind::ignored;
    } else {
      region = {Kind::frame, static_cast<RegionIndex>(raw.out.regions.size()), {}};
      const bool has_line = r.line != OTF2_UNDEFINED_UINT32;
      raw.out.regions.push_back({name, raw.out.text(r.file), has_line ? r.line : 0});
    }
  }
}

// The locations of ranks: those that MPI's group names, and further threads of their processes.
Status put_locations(Raw& raw) {
  const Group* world = nullptr;
  for (const auto& [ref, group] : raw.groups)
    if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS && group.paradigm == OTF2_PARADIGM_MPI)
      world = &group;
  if (!world || world->members.empty())
    return Error{"it defines no ranks of MPI (no group of locations has that paradigm)"};
  raw.out.locations.resize(world->members.size());
  std::unordered_map<OTF2_LocationRef, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < world->members.size(); ++rank)
    if (!rank_of.emplace(world->members[rank], rank).second)
      return Error{"a location is several ranks of MPI"};
  std::unordered_map<OTF2_LocationGroupRef, std::size_t> rank_of_process;
  std::size_t found = 0;
  for (const Location& l : raw.locations) {
    raw.out.events += l.events;
    const auto rank = rank_of.find(l.self);
    if (rank == rank_of.end()) continue;
    rank_of_process[l.group] = rank->second;
    raw.out.locations[rank->second] = {l.self};
    ++found;
  }
  if (found != world->members.size())
    return Error{"a rank of MPI has no location (its group names one that is not defined)"};
  for (const Location& l : raw.locations) {
    if (rank_of.contains(l.self)) continue;
    const auto process = rank_of_process.find(l.group);
    if (process == rank_of_process.end()) {
      raw.out.other_locations += l.is_thread ? 1 : 0;
    } else if (l.is_thread) {
      raw.out.locations[process->second].push_back(l.self);
    }
  }
  return {};
}

// Ranks of the world in a group; empty if that is not known.
std::vector<std::uint32_t> members_of(const Raw& raw, OTF2_GroupRef ref) {
  const auto found = raw.groups.find(ref);
  if (found == raw.groups.end() || found->second.type != OTF2_GROUP_TYPE_COMM_GROUP) return {};
  std::vector<std::uint32_t> out;
  for (const std::uint64_t m : found->second.members) {
    if (m >= raw.out.locations.size()) return {};
    out.push_back(static_cast<std::uint32_t>(m));
  }
  std::vector<std::uint32_t> sorted = out;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end() ? out : std::vector<std::uint32_t>{};
}

bool is_all_in_order(const std::vector<std::uint32_t>& members, std::size_t ranks) {
  if (members.size() != ranks) return false;
  for (std::size_t i = 0; i < ranks; ++i)
    if (members[i] != i) return false;
  return true;
}

Status put_comms(Raw& raw) {
  using Kind = CommDefinition::Kind;
  std::optional<CommIndex> world;
  std::vector<Comm> comms = raw.comms;
  // The world stands first, so that all others can be its children.
  const auto is_world = [&](const Comm& c) {
    return !c.is_inter && c.parent == OTF2_UNDEFINED_COMM &&
           is_all_in_order(members_of(raw, c.group), raw.out.locations.size());
  };
  std::ranges::stable_partition(comms, is_world);
  for (const Comm& c : comms) {
    const auto group = raw.groups.find(c.group);
    if (group == raw.groups.end() || group->second.paradigm != OTF2_PARADIGM_MPI) continue;
    const CommIndex index = raw.out.comms.size();
    CommDefinition out;
    out.says_creation = c.says_creation;
    out.members = members_of(raw, c.group);
    if (group->second.type == OTF2_GROUP_TYPE_COMM_SELF) {
      out.kind = Kind::self;
    } else if (c.is_inter || out.members.empty()) {
      out.kind = Kind::inter;
      out.others = members_of(raw, c.other_group);
      ++raw.out.inter_communicators;
    } else if (!world && is_world(c)) {
      out.kind = Kind::world;
      world = index;
    }
    if (!world) break;
    const auto parent = raw.out.comm_of.find(c.parent);
    const bool has_parent = parent != raw.out.comm_of.end() &&
                            raw.out.comms[parent->second].kind != Kind::inter &&
                            raw.out.comms[parent->second].kind != Kind::self;
    out.parent = has_parent ? parent->second : *world;
    raw.out.comm_of.emplace(c.self, index);
    raw.out.has_global_ranks.push_back(group->second.has_global_ranks);
    raw.out.comms.push_back(std::move(out));
  }
  if (!world) return Error{"it defines no communicator of all ranks"};
  return {};
}

}  // namespace

std::string Definitions::text(OTF2_StringRef ref) const {
  const auto found = strings.find(ref);
  return found == strings.end() ? std::string() : found->second;
}

std::int64_t Definitions::nanoseconds(OTF2_TimeStamp time) const {
  constexpr std::uint64_t kPerSecond = 1'000'000'000;
  // So that the multiplication below cannot overflow.
  constexpr std::uint64_t kFinest = std::numeric_limits<std::uint64_t>::max() / kPerSecond;
  if (time <= begin) return 0;
  const std::uint64_t ticks = time - begin;
  const std::uint64_t seconds = ticks / ticks_per_second, rest = ticks % ticks_per_second;
  const std::uint64_t fraction = ticks_per_second <= kFinest
                                     ? rest * kPerSecond / ticks_per_second
                                     : rest / (ticks_per_second / kPerSecond);
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 32;  // [s]; more is damage
  return static_cast<std::int64_t>(std::min(seconds, kLongest) * kPerSecond + fraction);
}

Result<Definitions> read_definitions(OTF2_Reader* reader, const Complaints& complaints) {
  Raw raw;
  if (const Status read = read_raw(reader, complaints, raw); !read) return read.error();
  put_regions(raw);
  if (const Status put = put_locations(raw); !put) return put.error();
  if (const Status put = put_comms(raw); !put) return put.error();
  return std::move(raw.out);
}

}  // namespace reprise::convert::otf2
