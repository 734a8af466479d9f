#include "convert/otf2/export.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "convert/otf2/collective_ops.hpp"
#include "convert/otf2/library.hpp"
#include "mpi/collectives.hpp"
#include "trace/calls/places.hpp"

namespace reprise::convert::otf2 {
namespace {

constexpr std::uint64_t kEventChunk = std::uint64_t{1} << 20;       // [bytes]
constexpr std::uint64_t kDefinitionChunk = std::uint64_t{1} << 22;  // [bytes]
constexpr std::uint64_t kTicksPerSecond = 1'000'000'000;

constexpr const char* kName = "traces";

struct CloseArchive {
  void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};

OTF2_FlushType before_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}
OTF2_TimeStamp after_flush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

// Strings by content, numbered as they come; 0 is the empty one.
class Strings {
 public:
  OTF2_StringRef number(const std::string& text) {
    const auto [entry, is_new] = numbers_.emplace(text, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return entry->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, OTF2_StringRef> numbers_{{"", 0}};
  std::vector<std::string> texts_{""};
};

OTF2_RegionRole role_of(const trace::Function& f) {
  namespace traits = trace::traits;
  if (mpi::operation_name(f) == "Barrier") return OTF2_REGION_ROLE_BARRIER;
  if ((f.traits & traits::kIo) != 0) return OTF2_REGION_ROLE_FILE_IO;
  if ((f.traits & (traits::kRma | traits::kRmaSync)) != 0) return OTF2_REGION_ROLE_RMA;
  if ((f.traits & (traits::kSend | traits::kRecv | traits::kComplete)) != 0)
    return OTF2_REGION_ROLE_POINT2POINT;
  if ((f.traits & traits::kCollective) != 0) return OTF2_REGION_ROLE_COLL_OTHER;
  return OTF2_REGION_ROLE_FUNCTION;
}

// What is entered and left: the functions of MPI that the trace has, and those of its call paths.
class Regions {
 public:
  explicit Regions(const trace::Trace& trace, Strings& strings) : trace_(trace) {
    const trace::Places places(trace);
    for (const trace::Call& c : trace.calls) {
      const trace::Function& f = trace::function(c.function);
      const auto [entry, is_new] = calls_.emplace(c.function, size());
      if (is_new) {
        const OTF2_StringRef name = strings.number(std::string(f.name));
        list_.push_back({name, 0, role_of(f), OTF2_PARADIGM_MPI});
      }
    }
    std::map<std::pair<OTF2_StringRef, OTF2_StringRef>, OTF2_RegionRef> known;
    for (std::uint32_t i = 0; i < trace.frames.size(); ++i) {
      const std::pair key(strings.number(places.function(i)),
                          strings.number(trace.texts[trace.frames[i].file]));
      const auto [entry, is_new] = known.emplace(key, size());
      if (is_new)
        list_.push_back({key.first, key.second, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER});
      frames_.push_back(entry->second);
    }
  }

  OTF2_RegionRef of(trace::FunctionId function) const { return calls_.at(function); }
  // The regions around a call, the outermost first.
  std::vector<OTF2_RegionRef> around(std::uint32_t callpath) const {
    std::vector<OTF2_RegionRef> out;
    const auto& frames = trace_.callpaths[callpath];
    for (auto f = frames.rbegin(); f != frames.rend(); ++f) out.push_back(frames_[*f]);
    return out;
  }

  void write(OTF2_GlobalDefWriter* to) const {
    for (OTF2_RegionRef r = 0; r < list_.size(); ++r) {
      OTF2_GlobalDefWriter_WriteRegion(to, r, list_[r].name, list_[r].name, 0, list_[r].role,
                                       list_[r].paradigm, OTF2_REGION_FLAG_NONE, list_[r].file, 0,
                                       0);
    }
  }

 private:
  struct Region {
    OTF2_StringRef name, file;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
  };

  OTF2_RegionRef size() const { return static_cast<OTF2_RegionRef>(list_.size()); }

  const trace::Trace& trace_;
  std::vector<Region> list_;
  std::map<trace::FunctionId, OTF2_RegionRef> calls_;
  std::vector<OTF2_RegionRef> frames_;  // by frame
};

// Writes the events of one rank.
class RankWriter {
 public:
  RankWriter(OTF2_EvtWriter* to, const trace::Trace& trace, const Regions& regions,
             const FlatRange& range)
      : to_(to), trace_(trace), regions_(regions), range_(range) {}

  void write(const FlatCall& call) {
    if (!range_.has_time(call.begin, call.end)) return;
    const trace::Call& c = trace_.calls[call.event->call];
    const OTF2_RegionRef region = regions_.of(c.function);
    last_ = std::max(last_, range_.from);
    go_to(regions_.around(c.callpath));
    enter(region, call.begin);
    write_begin(call, time(call.begin));
    write_end(call, time(call.end));
    leave(region, call.end);
  }

  void finish() { go_to({}); }

 private:
  static OTF2_TimeStamp time(std::int64_t t) { return static_cast<OTF2_TimeStamp>(t); }

  void enter(OTF2_RegionRef region, std::int64_t at) {
    OTF2_EvtWriter_Enter(to_, nullptr, time(at), region);
    last_ = at;
  }
  void leave(OTF2_RegionRef region, std::int64_t at) {
    OTF2_EvtWriter_Leave(to_, nullptr, time(at), region);
    last_ = at;
  }

  // Leaves and enters functions as the last call returns: computation belongs to the next call's.
  void go_to(const std::vector<OTF2_RegionRef>& path) {
    const auto fork = std::ranges::mismatch(path_, path);
    const auto shared = static_cast<std::size_t>(fork.in1 - path_.begin());
    while (path_.size() > shared) {
      leave(path_.back(), last_);
      path_.pop_back();
    }
    for (std::size_t i = shared; i < path.size(); ++i) enter(path[i], last_);
    path_ = path;
  }

  static OTF2_CommRef comm(std::size_t index) { return static_cast<OTF2_CommRef>(index); }
  static std::uint32_t narrow(std::int64_t n) { return static_cast<std::uint32_t>(n); }

  void write_begin(const FlatCall& call, OTF2_TimeStamp at) {
    if (const auto& m = call.sent)
      OTF2_EvtWriter_MpiSend(to_, nullptr, at, narrow(m->peer), comm(m->comm), narrow(m->tag),
                             static_cast<std::uint64_t>(m->bytes));
    if (call.collective || call.made_on) OTF2_EvtWriter_MpiCollectiveBegin(to_, nullptr, at);
    if (call.freed && *call.freed > FlatComms::kSelf && range_.is_whole_time())
      OTF2_EvtWriter_CommDestroy(to_, nullptr, at, comm(*call.freed));
  }

  void write_end(const FlatCall& call, OTF2_TimeStamp at) {
    for (const FlatCall::Started& s : call.started) write_started(s, at);
    for (const FlatCall::Completed& c : call.completed) {
      // What was started before the range is not there.
      if (open_.erase(c.request) > 0) write_completed(c, at);
    }
    if (const auto& m = call.received)
      OTF2_EvtWriter_MpiRecv(to_, nullptr, at, narrow(m->peer), comm(m->comm), narrow(m->tag),
                             static_cast<std::uint64_t>(m->bytes));
    if (const auto& c = call.collective)
      OTF2_EvtWriter_MpiCollectiveEnd(to_, nullptr, at, op_of(*c->function), comm(c->comm),
                                      root_of(*c), c->bytes.sent, c->bytes.received);
    if (!call.made_on) return;
    if (call.made && range_.is_whole_time())
      OTF2_EvtWriter_CommCreate(to_, nullptr, at, comm(*call.made));
    OTF2_EvtWriter_MpiCollectiveEnd(to_, nullptr, at, OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                                    comm(*call.made_on), OTF2_UNDEFINED_UINT32, 0, 0);
  }

  void write_started(const FlatCall::Started& s, OTF2_TimeStamp at) {
    open_.insert(s.request);
    if (const auto& m = s.sent) {
      OTF2_EvtWriter_MpiIsend(to_, nullptr, at, narrow(m->peer), comm(m->comm), narrow(m->tag),
                              static_cast<std::uint64_t>(m->bytes), s.request);
    } else if (s.collective) {
      OTF2_EvtWriter_NonBlockingCollectiveRequest(to_, nullptr, at, s.request);
    } else {
      OTF2_EvtWriter_MpiIrecvRequest(to_, nullptr, at, s.request);
    }
  }

  void write_completed(const FlatCall::Completed& c, OTF2_TimeStamp at) {
    if (c.is_cancelled) {
      OTF2_EvtWriter_MpiRequestCancelled(to_, nullptr, at, c.request);
    } else if (const auto& m = c.received) {
      OTF2_EvtWriter_MpiIrecv(to_, nullptr, at, narrow(m->peer), comm(m->comm), narrow(m->tag),
                              static_cast<std::uint64_t>(m->bytes), c.request);
    } else if (const auto& n = c.collective) {
      OTF2_EvtWriter_NonBlockingCollectiveComplete(to_, nullptr, at, op_of(*n->function),
                                                   comm(n->comm), root_of(*n), n->bytes.sent,
                                                   n->bytes.received, c.request);
    } else {
      OTF2_EvtWriter_MpiIsendComplete(to_, nullptr, at, c.request);
    }
  }

  static std::uint32_t root_of(const FlatCollective& c) {
    return c.root ? narrow(*c.root) : OTF2_UNDEFINED_UINT32;
  }

  OTF2_EvtWriter* to_;
  const trace::Trace& trace_;
  const Regions& regions_;
  const FlatRange& range_;
  std::vector<OTF2_RegionRef> path_;
  std::unordered_set<std::uint64_t> open_;  // requests that were started
  std::int64_t last_ = 0;
};

class ArchiveExport {
 public:
  ArchiveExport(OTF2_Archive* archive, const trace::Trace& trace, const FlatComms& comms,
                const FlatRange& range)
      : archive_(archive),
        trace_(trace),
        comms_(comms),
        range_(range),
        regions_(trace, strings_),
        events_(trace.ranks, 0) {}

  void write_events(const RanksWalked& progress) {
    OTF2_Archive_OpenEvtFiles(archive_);
    for_each_rank(trace_, comms_, progress, [&](std::uint64_t rank, FlatCalls& calls) {
      OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(archive_, rank);
      if (!to) return;
      RankWriter writer(to, trace_, regions_, range_);
      while (const FlatCall* const call = calls.next()) {
        last_ = std::max(last_, call->end);
        if (range_.has_rank(rank)) writer.write(*call);
      }
      writer.finish();
      OTF2_EvtWriter_GetNumberOfEvents(to, &events_[rank]);
      OTF2_Archive_CloseEvtWriter(archive_, to);
    });
    OTF2_Archive_CloseEvtFiles(archive_);
    // Readers look for the definitions of each location, though there are none.
    OTF2_Archive_OpenDefFiles(archive_);
    for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank) {
      if (OTF2_DefWriter* const local = OTF2_Archive_GetDefWriter(archive_, rank))
        OTF2_Archive_CloseDefWriter(archive_, local);
    }
    OTF2_Archive_CloseDefFiles(archive_);
  }

  void write_definitions() {
    const OTF2_StringRef machine = strings_.number("machine"), node = strings_.number("node"),
                         world = strings_.number("MPI_COMM_WORLD"),
                         self = strings_.number("MPI_COMM_SELF"), mpi = strings_.number("MPI");
    std::vector<OTF2_StringRef> ranks;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r)
      ranks.push_back(strings_.number("MPI Rank " + std::to_string(r)));
    OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(archive_);
    const auto date = trace_.date > 0 ? static_cast<std::uint64_t>(trace_.date) * kTicksPerSecond
                                      : OTF2_UNDEFINED_TIMESTAMP;
    OTF2_GlobalDefWriter_WriteClockProperties(to, kTicksPerSecond, 0,
                                              static_cast<std::uint64_t>(last_) + 1, date);
    for (OTF2_StringRef s = 0; s < strings_.texts().size(); ++s)
      OTF2_GlobalDefWriter_WriteString(to, s, strings_.texts()[s].c_str());
    OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS);
    regions_.write(to);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, machine, node, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    std::vector<std::uint64_t> locations;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      OTF2_GlobalDefWriter_WriteLocationGroup(to, static_cast<OTF2_LocationGroupRef>(r), ranks[r],
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                              OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(to, r, ranks[r], OTF2_LOCATION_TYPE_CPU_THREAD, events_[r],
                                         static_cast<OTF2_LocationGroupRef>(r));
      locations.push_back(r);
    }
    OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(trace_.ranks),
                                    locations.data());
    write_comms(to, world, self);
    OTF2_Archive_CloseGlobalDefWriter(archive_, to);
  }

 private:
  void write_comms(OTF2_GlobalDefWriter* to, OTF2_StringRef world, OTF2_StringRef self) const {
    const auto& list = comms_.list();
    for (std::size_t c = 0; c < list.size(); ++c) {
      const std::vector<std::uint64_t> members(list[c].members.begin(), list[c].members.end());
      const auto group = static_cast<OTF2_GroupRef>(c + 1);
      const bool is_self = c == FlatComms::kSelf, is_made = c > FlatComms::kSelf;
      OTF2_GlobalDefWriter_WriteGroup(
          to, group, 0, is_self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
          members.data());
      const bool says_creation = is_made && range_.is_whole_time();
      OTF2_GlobalDefWriter_WriteComm(
          to, static_cast<OTF2_CommRef>(c),
          is_self   ? self
          : is_made ? 0
                    : world,
          group, is_made ? static_cast<OTF2_CommRef>(list[c].parent) : OTF2_UNDEFINED_COMM,
          says_creation ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE);
    }
  }

  OTF2_Archive* archive_;
  const trace::Trace& trace_;
  const FlatComms& comms_;
  const FlatRange& range_;
  Strings strings_;
  Regions regions_;
  std::vector<std::uint64_t> events_;  // by rank
  std::int64_t last_ = 0;              // [ns]
};

}  // namespace

std::vector<std::string> files_of(const std::string& folder) {
  const std::string base = folder + "/" + kName;
  return {base + ".otf2", base + ".def", base};
}

Result<FlatLosses> export_archive(const trace::Trace& trace, const std::string& folder,
                                  const FlatRange& range, const RanksWalked& progress) {
  static constexpr OTF2_FlushCallbacks kFlush{before_flush, after_flush};
  const auto comms = FlatComms::of(trace);
  if (!comms) return comms.error();
  Complaints complaints;
  const std::unique_ptr<OTF2_Archive, CloseArchive> archive(
      OTF2_Archive_Open(folder.c_str(), kName, OTF2_FILEMODE_WRITE, kEventChunk, kDefinitionChunk,
                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  if (!archive) return Error{complaints.first()};
  OTF2_Archive_SetFlushCallbacks(archive.get(), &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive.get());
  OTF2_Archive_SetCreator(archive.get(), "Reprise");
  OTF2_Archive_SetDescription(archive.get(), trace.program.c_str());
  ArchiveExport writer(archive.get(), trace, *comms, range);
  writer.write_events(progress);
  writer.write_definitions();
  if (!complaints.first().empty()) return Error{complaints.first()};
  return FlatLosses{};
}

}  // namespace reprise::convert::otf2
