#include "simulate/lowering.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "trace/pending.hpp"
#include "trace/special.hpp"

namespace reprise::simulate {
namespace {

using trace::Event;
using trace::Payload;
using Do = Action::Do;
using Family = CallShape::Family;

// Larger blocks are damage. As many as there may be ranks can still be added up.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 38;

// The steps of one event.
class Lowerer {
 public:
  Lowerer(const trace::Trace& trace, const Machine& machine, const ComputeTimes& times,
          LoweringOptions options, Event& event, RankObjects& objects, trace::LookAhead* ahead,
          CallSteps& out)
      : trace_(trace),
        machine_(machine),
        times_(times),
        options_(options),
        e_(event),
        f_(*event.function),
        s_(shape_of(trace.calls[event.call].function)),
        objects_(objects),
        ahead_(ahead),
        out_(out) {}

  Status lower() {
    if (s_.comm >= 0) {
      const std::int64_t id = scalar(s_.comm);
      place_ = objects_.comm(id);
      if (!place_ && !trace::is_special(id)) return unknown("a communicator");
    }
    if (s_.window >= 0) place_ = objects_.window(scalar(s_.window));
    if (s_.family == Family::file) place_ = objects_.file(scalar(s_.file));
    decode();
    switch (s_.family) {
      case Family::nothing: return learn();
      case Family::send: return send();
      case Family::receive: return receive();
      case Family::exchange: return exchange();
      case Family::probe:
      case Family::match: return probe();
      case Family::claim: return claim();
      case Family::start: return start();
      case Family::complete: return complete();
      case Family::complete_any: return complete_any();
      case Family::query: return query();
      case Family::free_request: return free_request();
      case Family::cancel: return cancel();
      case Family::collective: return collective();
      case Family::neighbor: return neighbor();
      case Family::make_comm: return make_comm();
      case Family::make_window: return make_on_comm(Makes::window);
      case Family::open_file: return make_on_comm(Makes::file);
      case Family::fence: return fence();
      case Family::access: return access();
      case Family::settle: return settle();
      case Family::one_sided_sync: return {};
      case Family::file: return file();
      case Family::ends: return {};
      case Family::refused: break;
    }
    return Error{std::string(f_.name) +
                 " cannot be simulated (processes that are not in the trace take part in it)"};
  }

 private:
  std::int64_t scalar(int at) const { return at < 0 ? trace::kNone : e_.scalars[at]; }
  const std::vector<std::int64_t>& list(int at) const {
    static const std::vector<std::int64_t> kEmpty;
    return at < 0 ? kEmpty : e_.lists[static_cast<std::size_t>(at)];
  }

  Error unknown(const char* what) const {
    return {std::string(f_.name) + " uses " + what +
            " whose making is not in the trace (it was made while recording was paused, or by what "
            "is not recorded)"};
  }

  void decode() {
    trace::Membership m;
    if (place_ && place_->group)
      m = {place_->rank, static_cast<std::int64_t>(place_->group->peers())};
    trace::decode_ranks(trace_.calls[e_.call], m, e_);
  }

  void add(Action action) { out_.actions.push_back(action); }
  void wait_inner() { add({.what = Do::wait_inner}); }

  // --- Sizes

  std::int64_t product(std::int64_t count, std::int64_t type) {
    if (count <= 0) return 0;
    const std::int64_t size = objects_.type_size(type);
    if (size < 0) {
      unknown_size_ = true;
      return 0;
    }
    if (size > 0 && count > kMaxBytes / size) {
      unknown_size_ = true;
      return 0;
    }
    return count * size;
  }

  // The payload that describes the data: another if the buffer is MPI_IN_PLACE; null: none.
  const Payload* describing(const Payload* p) const {
    if (!p) return nullptr;
    const std::int64_t buffer = e_.scalars[p->buffer];
    if (buffer == trace::kNone) return nullptr;
    if (buffer == trace::kInPlace && p->in_place >= 0) return &f_.payloads[p->in_place];
    return p;
  }

  // Of one block of a payload [bytes].
  std::int64_t block(const Payload* p) {
    p = describing(p);
    if (!p || p->blocks == trace::Blocks::listed) return 0;
    return product(p->count < 0 ? 1 : e_.scalars[p->count],
                   p->typed_each ? trace::kNone : e_.scalars[p->datatype]);
  }

  // Of each block, where they are listed.
  std::vector<std::int64_t> blocks(const Payload* p) {
    p = describing(p);
    std::vector<std::int64_t> out;
    if (!p || p->blocks != trace::Blocks::listed) return out;
    const auto& counts = e_.lists[p->count];
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::int64_t type = trace::kNone;
      if (!p->typed_each) {
        type = e_.scalars[p->datatype];
      } else if (i < e_.lists[p->datatype].size()) {
        type = e_.lists[p->datatype][i];
      }
      out.push_back(product(counts[i], type));
    }
    return out;
  }

  Status sized() const {
    if (!unknown_size_) return {};
    return Error{std::string(f_.name) +
                 " has a size that is not known (its datatype's making is not in the trace, or the "
                 "size makes no sense)"};
  }

  // --- Point to point

  std::uint32_t peer_of(std::int64_t rank) {
    if (rank == trace::kProcNull) return kNobody;
    if (rank == trace::kAnySource) return kAnyone;
    if (!place_ || rank < 0 || static_cast<std::uint64_t>(rank) >= place_->group->peers()) {
      is_bad_peer_ = true;
      return kNobody;
    }
    if (place_->group->is_world) return static_cast<std::uint32_t>(rank);
    if (place_->group->members.empty()) return objects_.rank();  // MPI_COMM_SELF
    return place_->group->peer(static_cast<std::uint64_t>(rank));
  }

  static std::int64_t tag_of(std::int64_t tag) { return tag == trace::kAnyTag ? kAnyTag : tag; }

  Status checked() const {
    if (is_bad_peer_) {
      return Error{std::string(f_.name) +
                   " names a rank that its communicator does not have (the trace is damaged, or "
                   "the communicator's making is not in it)"};
    }
    return sized();
  }

  Action send_action() {
    return {.what = Do::send,
            .mode = s_.mode,
            .keep = s_.keep,
            .peer = peer_of(scalar(s_.peer)),
            .context = place_ ? place_->group->context() : 0,
            .tag = scalar(s_.tag),
            .bytes = block(s_.sent)};
  }

  Status send() {
    if (!place_) return unknown("a communicator");
    add(send_action());
    if (s_.keep == Keep::inner) wait_inner();
    return checked();
  }

  // The source and the tag of a receive: those that the recorded run met, if that is asked for.
  Action receive_action() {
    std::int64_t source = scalar(s_.source);
    std::int64_t tag = scalar(s_.receive_tag >= 0 ? s_.receive_tag : s_.tag);
    const bool is_wild = source == trace::kAnySource || tag == trace::kAnyTag;
    if (is_wild && options_.matching == Matching::recorded && s_.keep != Keep::persistent) {
      trace::Match met{trace::Match::Kind::unknown, 0, 0};
      if (s_.matched_source >= 0) {
        met = {trace::Match::Kind::message, scalar(s_.matched_source), scalar(s_.matched_tag)};
      } else if (ahead_) {
        met = ahead_->next();
        out_.is_lasting = false;
      }
      if (met.kind == trace::Match::Kind::message) {
        if (!trace::is_special(met.source)) source = met.source;
        if (!trace::is_special(met.tag)) tag = met.tag;
      }
    }
    return {.what = Do::receive,
            .keep = s_.keep,
            .peer = peer_of(source),
            .context = place_ ? place_->group->context() : 0,
            .tag = tag_of(tag),
            .group = place_ ? place_->group.get() : nullptr};
  }

  Status receive() {
    if (!place_) return unknown("a communicator");
    Action action = receive_action();
    action.starts_up = s_.keep == Keep::inner;
    add(action);
    if (s_.keep == Keep::inner) wait_inner();
    return checked();
  }

  Status exchange() {
    if (!place_) return unknown("a communicator");
    Action sent = send_action();
    sent.keep = Keep::inner;
    add(sent);
    add(receive_action());
    wait_inner();
    return checked();
  }

  Status probe() {
    if (!place_) return unknown("a communicator");
    Action action = receive_action();
    action.what = s_.family == Family::match ? Do::match : Do::probe;
    if (action.peer == kNobody && s_.family == Family::probe) return checked();
    add(action);
    return checked();
  }

  Status claim() {
    add({.what = Do::claim, .keep = s_.keep, .number = scalar(s_.message)});
    if (s_.keep == Keep::inner) wait_inner();
    return {};
  }

  // --- Requests

  std::span<const std::int64_t> requests() { return trace::requests_of(e_, scratch_); }

  Status start() {
    for (const std::int64_t r : requests()) {
      if (!is_special(r)) add({.what = Do::start, .number = r});
    }
    return {};
  }

  static bool is_special(std::int64_t v) { return trace::is_special(v); }

  Status complete() {
    const auto all = requests();
    if (all.size() == 1) {
      if (is_special(all[0])) return {};
      add({.what = Do::wait, .number = all[0]});
      if (f_.ends_requests) add({.what = Do::retire, .number = all[0]});
      return {};
    }
    const auto first = static_cast<std::uint32_t>(out_.numbers.size());
    for (const std::int64_t r : all) {
      if (is_special(r)) continue;
      add({.what = Do::wait, .number = r});
      out_.numbers.push_back(r);
    }
    const auto count = static_cast<std::uint32_t>(out_.numbers.size()) - first;
    if (count > 0 && f_.ends_requests) add({.what = Do::retire, .first = first, .count = count});
    return {};
  }

  Status complete_any() {
    const auto all = requests();
    const std::int64_t index = scalar(s_.index);
    if (index < 0 || index >= std::ssize(all) || is_special(all[static_cast<std::size_t>(index)]))
      return {};
    const std::int64_t recorded = all[static_cast<std::size_t>(index)];
    if (options_.matching == Matching::recorded) {
      add({.what = Do::wait, .number = recorded});
    } else {
      const auto first = static_cast<std::uint32_t>(out_.numbers.size());
      for (const std::int64_t r : all) {
        if (!is_special(r)) out_.numbers.push_back(r);
      }
      const auto count = static_cast<std::uint32_t>(out_.numbers.size()) - first;
      add({.what = Do::wait_any, .number = recorded, .first = first, .count = count});
    }
    add({.what = Do::retire, .number = recorded});
    return {};
  }

  Status query() {
    for (const std::int64_t r : requests()) {
      if (!is_special(r)) add({.what = Do::wait, .keep = Keep::request, .number = r});
    }
    return {};
  }

  Status free_request() {
    for (const std::int64_t r : requests()) {
      if (!is_special(r)) add({.what = Do::free, .number = r});
    }
    return {};
  }

  Status cancel() {
    for (const std::int64_t r : requests()) {
      if (!is_special(r)) add({.what = Do::withdraw, .number = r});
    }
    return {};
  }

  // --- Collectives

  Status collective() {
    if (!place_) return unknown("a communicator");
    const Group& group = *place_->group;
    if (group.is_inter()) return collective_meeting();
    CollectiveCall call = described();
    if (Status ok = checked(); !ok) return ok;
    if (call.size <= 1) return nothing_collective();
    if (machine_.collectives == CollectiveModel::dimemas) return collective_meeting();
    const Algorithm algorithm = machine_.algorithms[static_cast<std::size_t>(call.kind)];
    if (s_.keep == Keep::inner) {
      plan(call, algorithm, group, 0, out_.actions);
      return {};
    }
    // Several may be under way.
    const auto number = static_cast<std::int64_t>(++place_->collectives);
    return fork([&] { plan(call, algorithm, group, number, out_.actions); });
  }

  template <class Plan>
  Status fork(Plan steps) {
    out_.is_lasting = false;
    const std::size_t at = out_.actions.size();
    add({.what = Do::fork, .keep = s_.keep});
    steps();
    out_.actions[at].count = static_cast<std::uint32_t>(out_.actions.size() - at - 1);
    return {};
  }

  Status nothing_collective() {
    if (s_.keep != Keep::inner) add({.what = Do::null, .keep = s_.keep});
    return {};
  }

  CollectiveCall described() {
    CollectiveCall call;
    call.kind = *s_.collective;
    call.rank = place_->rank;
    call.size = static_cast<std::int64_t>(place_->group->size);
    call.is_vector = s_.is_vector;
    if (s_.root >= 0) {
      call.root = scalar(s_.root);
      if (call.root < 0 || call.root >= call.size) {
        is_bad_peer_ = true;
        return call;
      }
    }
    const bool at_root = s_.root < 0 || call.root == call.rank;
    switch (call.kind) {
      case Collective::barrier: break;
      case Collective::bcast: call.bytes = block(f_.payloads.data()); break;
      case Collective::gather:
        call.bytes = at_root && !s_.is_vector ? block(s_.received) : block(s_.sent);
        break;
      case Collective::scatter:
        if (at_root && s_.is_vector) {
          call.sent = blocks(s_.sent);
        } else {
          call.bytes = at_root ? block(s_.sent) : block(s_.received);
        }
        break;
      case Collective::allgather:
      case Collective::alltoall: call.bytes = block(s_.received); break;
      case Collective::allgatherv: call.sent = blocks(s_.received); break;
      case Collective::alltoallv:
        call.sent = blocks(s_.sent);
        call.received = blocks(s_.received);
        break;
      case Collective::reduce_scatter:
        if (s_.is_vector) {
          call.sent = blocks(s_.received);
          if (call.sent.empty()) call.sent = blocks(s_.sent);
        } else {
          call.bytes = block(s_.received);
        }
        break;
      case Collective::reduce:
      case Collective::allreduce:
      case Collective::scan: call.bytes = reduced(); break;
    }
    for (const auto* pieces : {&call.sent, &call.received}) {
      if (!pieces->empty() && std::ssize(*pieces) != call.size) is_bad_peer_ = true;
    }
    return call;
  }

  // All of a reduction's operands: its count counts, whatever its buffers are.
  std::int64_t reduced() {
    const Payload* p = s_.sent ? s_.sent : s_.received;
    return p ? product(e_.scalars[p->count], e_.scalars[p->datatype]) : 0;
  }

  // In one piece, after the models of Dimemas.
  Status collective_meeting() {
    MeetingCall meeting = meeting_of(*place_);
    meeting.cost = machine_.dimemas[static_cast<std::size_t>(*s_.collective)];
    meeting.sent = total(s_.sent);
    meeting.received = total(s_.received);
    if (Status ok = sized(); !ok) return ok;
    return meet(std::move(meeting));
  }

  // All blocks of a payload.
  std::int64_t total(const Payload* p) {
    const std::vector<std::int64_t> all = blocks(p);
    std::int64_t sum = 0;
    for (const std::int64_t b : all) sum += b;
    if (!all.empty()) return sum;
    p = describing(p);
    const bool each = p && p->blocks == trace::Blocks::members && p->part == trace::Part::all;
    return block(p) * (each ? static_cast<std::int64_t>(place_->group->peers()) : 1);
  }

  MeetingCall meeting_of(Place& place) const {
    MeetingCall meeting;
    meeting.group = place.group->id;
    meeting.number = ++place.collectives;
    meeting.of = place.group;
    meeting.rank_in = place.rank;
    meeting.expected = place.group->is_inter() ? place.group->size + place.group->others.size()
                                               : place.group->size;
    return meeting;
  }

  Status meet(MeetingCall meeting) {
    out_.is_lasting = false;
    const auto at = static_cast<std::uint32_t>(out_.meetings.size());
    out_.meetings.push_back(std::move(meeting));
    add({.what = Do::meet, .keep = s_.keep, .first = at});
    if (s_.keep == Keep::inner) wait_inner();
    return {};
  }

  Status neighbor() {
    if (!place_) return unknown("a communicator");
    const Group& group = *place_->group;
    const Neighbors neighbors = neighbors_of(group, place_->rank);
    std::vector<std::int64_t> sent = blocks(s_.sent);
    const Payload* p = describing(s_.sent);
    if (p && p->blocks != trace::Blocks::listed)
      sent.assign(neighbors.destinations.size(), block(s_.sent));
    if (Status ok = sized(); !ok) return ok;
    if (s_.keep == Keep::inner) {
      plan_neighbors(neighbors, sent, group, 0, out_.actions);
      return {};
    }
    const auto number = static_cast<std::int64_t>(++place_->collectives);
    return fork([&] { plan_neighbors(neighbors, sent, group, number, out_.actions); });
  }

  // --- Making communicators, windows and files

  DimemasCollective agreement() const { return {{machine_.making, SizeRule::max}, {}}; }
  static constexpr std::int64_t kAgreementBytes = 8;

  Status make_comm() {
    if (!place_) return unknown("a communicator");
    out_.is_lasting = false;
    const std::int64_t id = scalar(s_.made);
    auto entry = std::make_shared<Entry>();
    entry->process = objects_.rank();
    entry->id = trace::is_special(id) ? -1 : id;
    entry->rank = scalar(s_.made + 1);
    entry->size = scalar(s_.made + 2);
    entry->local = place_->group->id;
    const bool parent_is_inter = place_->group->is_inter();
    const bool is_inter = s_.creates_inter || (parent_is_inter && !s_.creates_intra);
    if (s_.color >= 0) entry->part = scalar(s_.color);
    // The two sides of an inter-communicator's group share its number.
    if (parent_is_inter) entry->local = 2 * entry->local + (is_first_side(*place_->group) ? 0 : 1);
    MeetingCall meeting;
    if (s_.creates_inter && f_.communicator >= 0 && s_.tag >= 0) {
      // MPI_Intercomm_create: two groups meet that have nothing in common but what they make.
      meeting.group = kByWhatIsMade;
      meeting.number = static_cast<std::uint64_t>(id);
      meeting.expected = place_->group->size + static_cast<std::uint64_t>(entry->size);
    } else if (!(f_.traits & trace::traits::kCollective)) {
      if (entry->id < 0) return {};  // MPI_Comm_create_group: members only
      meeting.group = kByWhatIsMade + 1;
      meeting.number = static_cast<std::uint64_t>(id);
      meeting.expected = static_cast<std::uint64_t>(entry->size);
    } else {
      meeting = meeting_of(*place_);
    }
    meeting.cost = agreement();
    meeting.sent = kAgreementBytes;
    meeting.made = entry->id;
    meeting.makes = is_inter ? Makes::inter_comm : Makes::comm;
    find_topology(*entry, meeting);
    meeting.entry = std::move(entry);
    return meet(std::move(meeting));
  }

  static constexpr std::uint64_t kByWhatIsMade = std::uint64_t{1} << 40;

  static bool is_first_side(const Group& group) { return group.members < group.others; }

  void find_topology(Entry& entry, MeetingCall& meeting) {
    if (s_.dims >= 0) {
      if (is_grid_of(list(s_.dims), place_->group->size))
        meeting.grid = {list(s_.dims), list(s_.periods)};
    } else if (s_.remain >= 0 && !place_->group->grid.dims.empty()) {
      meeting.grid = analyze::sub_grid(place_->group->grid, list(s_.remain));
      entry.part = dropped_coordinates();
    } else if (s_.graph_index >= 0) {
      const auto& index = list(s_.graph_index);
      const auto& edges = list(s_.edges);
      const auto own = static_cast<std::size_t>(std::max<std::int64_t>(0, entry.rank));
      if (own >= index.size()) return;
      const std::int64_t from = own > 0 ? index[own - 1] : 0;
      for (std::int64_t i = std::max<std::int64_t>(0, from);
           i < index[own] && i < std::ssize(edges); ++i)
        entry.neighbors.sources.push_back(edges[static_cast<std::size_t>(i)]);
      entry.neighbors.destinations = entry.neighbors.sources;
    } else if (s_.degrees >= 0) {
      std::size_t at = 0;
      const auto& degrees = list(s_.degrees);
      const auto& to = list(s_.destinations);
      for (std::size_t i = 0; i < degrees.size() && i < list(s_.sources).size(); ++i) {
        for (std::int64_t k = 0; k < degrees[i] && at < to.size(); ++k, ++at)
          entry.edges.insert(entry.edges.end(), {list(s_.sources)[i], to[at]});
      }
    } else if (s_.sources >= 0) {
      entry.neighbors = {list(s_.sources), list(s_.destinations)};
    } else if (s_.color < 0 && place_->group->size == static_cast<std::uint64_t>(entry.size)) {
      // A duplicate has its original's topology.
      meeting.grid = place_->group->grid;
      if (!place_->group->neighbors.empty())
        entry.neighbors = place_->group->neighbors[static_cast<std::size_t>(place_->rank)];
    }
  }

  static bool is_grid_of(const std::vector<std::int64_t>& dims, std::uint64_t size) {
    std::uint64_t left = size;
    for (const std::int64_t d : dims) {
      if (d < 1 || static_cast<std::uint64_t>(d) > left) return false;
      left /= static_cast<std::uint64_t>(d);
    }
    return true;
  }

  // Those of this rank in the dimensions that MPI_Cart_sub drops, as one number.
  std::int64_t dropped_coordinates() const {
    const auto& dims = place_->group->grid.dims;
    const auto& remain = list(s_.remain);
    std::int64_t rank = place_->rank, part = 0, factor = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (dims[d] <= 0) return 0;
      if (d < remain.size() && !remain[d]) {
        part += factor * (rank % dims[d]);
        factor *= dims[d];
      }
      rank /= dims[d];
    }
    return part;
  }

  // Windows and files take over the group of their communicator.
  Status make_on_comm(Makes makes) {
    if (!place_) return unknown("a communicator");
    MeetingCall meeting = meeting_of(*place_);
    meeting.cost = agreement();
    meeting.sent = kAgreementBytes;
    meeting.makes = makes;
    meeting.made = s_.made >= 0 ? scalar(s_.made) : scalar(s_.file);
    return meet(std::move(meeting));
  }

  Status learn() {
    objects_.learn_types(e_);
    // A local call that makes a request: a generalised one, which the program itself completes.
    if (s_.keep != Keep::inner) add({.what = Do::null, .keep = s_.keep});
    if (f_.traits & trace::traits::kCreate) out_.is_lasting = false;
    return {};
  }

  // --- One-sided communication and files

  Status fence() {
    if (!place_) return unknown("a window");
    add({.what = Do::settle, .number = scalar(s_.window)});
    CollectiveCall call{.kind = Collective::barrier,
                        .rank = place_->rank,
                        .size = static_cast<std::int64_t>(place_->group->size)};
    if (call.size <= 1) return {};
    plan(call, machine_.algorithms[static_cast<std::size_t>(Collective::barrier)], *place_->group,
         kWindowTag, out_.actions);
    return {};
  }

  static constexpr std::int64_t kWindowTag = -2;

  Status access() {
    if (!place_) return unknown("a window");
    Action action{.what = Do::put, .keep = s_.keep, .peer = peer_of(scalar(s_.peer))};
    action.number = scalar(s_.window);
    action.starts_up = s_.received != nullptr;
    action.bytes = block(s_.sent) + block(s_.received);
    add(action);
    return checked();
  }

  Status settle() {
    add({.what = Do::settle, .number = scalar(s_.window)});
    return {};
  }

  Status file() {
    if (!place_) return unknown("a file");
    if (f_.traits & trace::traits::kCollective) {
      MeetingCall meeting = meeting_of(*place_);
      const Keep keep = s_.keep;
      if (keep == Keep::inner) {
        if (Status ok = meet(std::move(meeting)); !ok) return ok;
        add({.what = Do::spend, .bytes = file_time()});
        return {};
      }
    }
    if (s_.keep == Keep::inner) {
      add({.what = Do::spend, .bytes = file_time()});
    } else {
      return fork([&] { add({.what = Do::spend, .bytes = file_time()}); });
    }
    return sized();
  }

  Picoseconds file_time() {
    if (machine_.file_latency < 0) return times_.duration(e_.call);
    const std::int64_t bytes = block(s_.sent) + block(s_.received);
    return machine_.file_latency +
           std::llround(static_cast<double>(bytes) * machine_.file_inverse_bandwidth);
  }

  Neighbors neighbors_of(const Group& group, std::int64_t rank) const {
    if (!group.neighbors.empty()) return group.neighbors[static_cast<std::size_t>(rank)];
    Neighbors out;
    const auto& dims = group.grid.dims;
    std::int64_t stride = 1;
    for (const std::int64_t d : dims) stride *= d;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      stride /= dims[d];
      const std::int64_t at = rank / stride % dims[d];
      const bool wraps = d < group.grid.periods.size() && group.grid.periods[d];
      for (const std::int64_t step : {-1, 1}) {
        const std::int64_t to = at + step;
        const bool is_in = to >= 0 && to < dims[d];
        const std::int64_t neighbor = rank + ((to + dims[d]) % dims[d] - at) * stride;
        out.sources.push_back(is_in || wraps ? neighbor : -1);
      }
    }
    out.destinations = out.sources;
    return out;
  }

  const trace::Trace& trace_;
  const Machine& machine_;
  const ComputeTimes& times_;
  const LoweringOptions options_;
  Event& e_;
  const trace::Function& f_;
  const CallShape& s_;
  RankObjects& objects_;
  trace::LookAhead* ahead_;
  CallSteps& out_;
  Place* place_ = nullptr;
  std::vector<std::int64_t> scratch_;
  bool unknown_size_ = false, is_bad_peer_ = false;
};

}  // namespace

Status Lowering::lower(trace::Event& event, RankObjects& objects, trace::LookAhead* ahead,
                       CallSteps& out) const {
  out.clear();
  out.meetings.clear();
  out.is_lasting = true;
  out.type_version = objects.type_version();
  return Lowerer(trace_, machine_, times_, options_, event, objects, ahead, out).lower();
}

}  // namespace reprise::simulate
