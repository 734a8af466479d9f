#include "convert/otf2/events.hpp"

#include <algorithm>

#include "convert/otf2/collective_ops.hpp"

namespace reprise::convert::otf2 {
namespace {

using Kind = RegionDefinition::Kind;

// Of calls that records stand for which lie in no region of MPI.
struct LoneCalls {
  trace::FunctionId send = *trace::find_function("MPI_Send");
  trace::FunctionId send_started = *trace::find_function("MPI_Isend");
  trace::FunctionId receive = *trace::find_function("MPI_Recv");
  trace::FunctionId receive_started = *trace::find_function("MPI_Irecv");
  trace::FunctionId wait = *trace::find_function("MPI_Waitall");
};

const LoneCalls& lone_calls() {
  static const LoneCalls calls;
  return calls;
}

}  // namespace

void LocationEvents::enter(OTF2_RegionRef ref, OTF2_TimeStamp time) {
  static constexpr RegionDefinition kUnknown{Kind::ignored, 0, {}};
  const auto found = definitions_.region_of.find(ref);
  const RegionDefinition& region = found == definitions_.region_of.end() ? kUnknown : found->second;
  // What is within a call of MPI belongs to the library.
  const bool is_within = stream_.is_in_call();
  entered_.push_back({is_within ? Kind::ignored : region.kind, path_});
  if (is_within) return;
  if (region.kind == Kind::frame) path_ = paths_.enter(path_, region.index);
  if (region.kind == Kind::call)
    stream_.enter_call(region.function, path_, definitions_.nanoseconds(time));
}

void LocationEvents::leave(OTF2_TimeStamp time) {
  if (entered_.empty()) return;
  const Entered left = entered_.back();
  entered_.pop_back();
  path_ = left.path_before;
  if (left.kind == Kind::call) stream_.leave_call(definitions_.nanoseconds(time));
}

template <class Record>
void LocationEvents::in_call(OTF2_TimeStamp time, trace::FunctionId function,
                             const Record& record) {
  const bool is_alone = !stream_.is_in_call();
  const std::int64_t at = definitions_.nanoseconds(time);
  if (is_alone) stream_.enter_call(function, path_, at);
  record();
  if (is_alone) stream_.leave_call(at);
}

std::optional<Message> LocationEvents::message(std::uint32_t peer, OTF2_CommRef ref,
                                               std::uint32_t tag, std::uint64_t bytes) {
  const auto found = definitions_.comm_of.find(ref);
  if (found == definitions_.comm_of.end()) {
    ++losses_["messages on communicators that are not defined"];
    return std::nullopt;
  }
  const CommIndex comm = found->second;
  const CommDefinition& c = definitions_.comms[comm];
  if (c.kind == CommDefinition::Kind::inter) {
    const bool is_in_first = std::ranges::find(c.members, rank_) != c.members.end();
    const auto& remote = is_in_first ? c.others : c.members;
    if (peer >= remote.size()) {
      ++losses_["messages to or from ranks that are not there"];
      return std::nullopt;
    }
    ++losses_["messages on inter-communicators, which stand on MPI_COMM_WORLD"];
    return Message{remote[peer], 0, tag, bytes};  // the world stands first
  }
  std::int64_t rank = peer;
  const bool is_world = c.kind == CommDefinition::Kind::world;
  const auto size = static_cast<std::int64_t>(
      is_world ? definitions_.locations.size() : std::max<std::size_t>(1, c.members.size()));
  if (definitions_.has_global_ranks[comm] && !is_world) {
    const auto member = std::ranges::find(c.members, peer);
    rank = member == c.members.end() ? size : member - c.members.begin();
  }
  if (rank >= size) {
    ++losses_["messages to or from ranks that are not there"];
    return std::nullopt;
  }
  return Message{rank, comm, tag, bytes};
}

std::optional<Collective> LocationEvents::collective(OTF2_CollectiveOp op, OTF2_CommRef ref,
                                                     std::uint32_t root, CollectiveBytes bytes) {
  const auto found = definitions_.comm_of.find(ref);
  if (found == definitions_.comm_of.end()) return std::nullopt;
  const CommDefinition& c = definitions_.comms[found->second];
  if (c.kind == CommDefinition::Kind::inter) return std::nullopt;
  const bool is_root = root < definitions_.locations.size();
  return Collective{function_of(op), found->second, is_root ? std::int64_t{root} : 0, bytes};
}

// The callbacks of the library: each finds its LocationEvents and tells it one record.
struct EventCallbacks {
  using Self = LocationEvents;

  static Self& self(void* data) { return *static_cast<Self*>(data); }

  static OTF2_CallbackCode program_begin(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t,
                                         void* data, OTF2_AttributeList*, OTF2_StringRef name,
                                         std::uint32_t n, const OTF2_StringRef* arguments) {
    Self& s = self(data);
    s.program_ = s.definitions_.text(name);
    for (std::uint32_t i = 0; i < n; ++i) s.program_ += " " + s.definitions_.text(arguments[i]);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                 OTF2_AttributeList*, OTF2_RegionRef region) {
    self(data).enter(region, time);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                 OTF2_AttributeList*, OTF2_RegionRef) {
    self(data).leave(time);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode send(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                OTF2_AttributeList*, std::uint32_t to, OTF2_CommRef comm,
                                std::uint32_t tag, std::uint64_t bytes) {
    Self& s = self(data);
    if (const auto m = s.message(to, comm, tag, bytes))
      s.in_call(time, lone_calls().send, [&] { s.stream_.sent(*m, std::nullopt); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode isend(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                 OTF2_AttributeList*, std::uint32_t to, OTF2_CommRef comm,
                                 std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    Self& s = self(data);
    if (const auto m = s.message(to, comm, tag, bytes))
      s.in_call(time, lone_calls().send_started, [&] { s.stream_.sent(*m, request); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode isend_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                          void* data, OTF2_AttributeList*, std::uint64_t request) {
    Self& s = self(data);
    s.in_call(time, lone_calls().wait, [&] { s.stream_.completed_send(request); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode irecv_request(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                         void* data, OTF2_AttributeList*, std::uint64_t request) {
    Self& s = self(data);
    s.in_call(time, lone_calls().receive_started, [&] { s.stream_.posted(request); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode receive(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                   OTF2_AttributeList*, std::uint32_t from, OTF2_CommRef comm,
                                   std::uint32_t tag, std::uint64_t bytes) {
    Self& s = self(data);
    if (const auto m = s.message(from, comm, tag, bytes))
      s.in_call(time, lone_calls().receive, [&] { s.stream_.received(*m); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode irecv(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                 OTF2_AttributeList*, std::uint32_t from, OTF2_CommRef comm,
                                 std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    Self& s = self(data);
    const auto m = s.message(from, comm, tag, bytes);
    s.in_call(time, lone_calls().wait,
              [&] { m ? s.stream_.completed_receive(request, *m) : s.stream_.cancelled(request); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode cancelled(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                     void* data, OTF2_AttributeList*, std::uint64_t request) {
    Self& s = self(data);
    s.in_call(time, lone_calls().wait, [&] { s.stream_.cancelled(request); });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode collective_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                          void* data, OTF2_AttributeList*, OTF2_CollectiveOp op,
                                          OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                          std::uint64_t received) {
    Self& s = self(data);
    const auto c = s.collective(op, comm, root, {sent, received});
    if (c && op == OTF2_COLLECTIVE_OP_CREATE_HANDLE) {
      s.stream_.made_comm_on(c->comm);
    } else if (c && c->function) {
      s.in_call(time, *c->function, [&] { s.stream_.collective(*c); });
    }
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode collective_request(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t,
                                              void* data, OTF2_AttributeList*,
                                              std::uint64_t request) {
    self(data).stream_.posted(request);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode collective_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                               void* data, OTF2_AttributeList*,
                                               OTF2_CollectiveOp op, OTF2_CommRef comm,
                                               std::uint32_t root, std::uint64_t sent,
                                               std::uint64_t received, std::uint64_t request) {
    Self& s = self(data);
    const auto c = s.collective(op, comm, root, {sent, received});
    s.in_call(time, lone_calls().wait, [&] {
      c ? s.stream_.completed_collective(request, *c) : s.stream_.completed_send(request);
    });
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode comm_create(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data,
                                       OTF2_AttributeList*, OTF2_CommRef comm) {
    Self& s = self(data);
    const auto found = s.definitions_.comm_of.find(comm);
    if (found != s.definitions_.comm_of.end() &&
        s.definitions_.comms[found->second].kind == CommDefinition::Kind::made)
      s.stream_.made_comm(found->second);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode comm_destroy(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data,
                                        OTF2_AttributeList*, OTF2_CommRef comm) {
    Self& s = self(data);
    const auto found = s.definitions_.comm_of.find(comm);
    if (found != s.definitions_.comm_of.end()) s.stream_.freed_comm(found->second);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode rma(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data,
                               OTF2_AttributeList*, OTF2_RmaWinRef, std::uint32_t, std::uint64_t,
                               std::uint64_t) {
    ++self(data).losses_["one-sided transfers"];
    return OTF2_CALLBACK_SUCCESS;
  }
};

OTF2_EvtReaderCallbacks* LocationEvents::new_callbacks() {
  using C = EventCallbacks;
  OTF2_EvtReaderCallbacks* const out = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetProgramBeginCallback(out, C::program_begin);
  OTF2_EvtReaderCallbacks_SetEnterCallback(out, C::enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(out, C::leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(out, C::send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(out, C::isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(out, C::isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(out, C::irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(out, C::receive);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(out, C::irecv);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(out, C::cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(out, C::collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(out, C::collective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(out, C::collective_complete);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback(out, C::comm_create);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback(out, C::comm_destroy);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(out, C::rma);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(out, C::rma);
  return out;
}

}  // namespace reprise::convert::otf2
