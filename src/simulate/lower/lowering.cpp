#include "simulate/lower/lowering.hpp"

#include "mpi/requests/pending.hpp"
#include "simulate/collectives/exchanges.hpp"
#include "simulate/lower/lowerer.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {

Status Lowerer::lower() {
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
    case Family::start: return each_request(Do::start);
    case Family::ready: return ready();
    case Family::complete: return complete();
    case Family::complete_any: return complete_any();
    case Family::query: return each_request(Do::wait, Keep::request);
    case Family::free_request: return each_request(Do::free);
    case Family::cancel: return each_request(Do::withdraw);
    case Family::collective: return collective();
    case Family::neighbor: return neighbor();
    case Family::make_comm: return make_comm();
    case Family::make_window: return make_on_comm(Makes::window);
    case Family::open_file: return make_on_comm(Makes::file);
    case Family::fence: return fence();
    case Family::access: return access();
    case Family::settle: return settle();
    case Family::epoch: return epoch();
    case Family::lock: return lock();
    case Family::file: return file();
    case Family::own_file: return own_file();
    case Family::ends: return {};
    case Family::refused: break;
  }
  return Error{std::string(f_.name) +
               " cannot be simulated (processes that are not in the trace take part in it)"};
}

std::int64_t Lowerer::scalar(int at) const { return at < 0 ? trace::kNone : e_.scalars[at]; }

const std::vector<std::int64_t>& Lowerer::list(int at) const {
  static const std::vector<std::int64_t> kEmpty;
  return at < 0 ? kEmpty : e_.lists[static_cast<std::size_t>(at)];
}

Error Lowerer::unknown(const char* what) const {
  return {std::string(f_.name) + " uses " + what +
          " whose making is not in the trace (it was made while recording was paused, or by what "
          "is not recorded)"};
}

void Lowerer::decode() {
  trace::Membership m;
  if (place_ && place_->group)
    m = {place_->rank, static_cast<std::int64_t>(place_->group->peers())};
  trace::decode_ranks(trace_.calls[e_.call], m, e_);
}

Status Lowerer::sized() const {
  if (sizes_.all_known()) return {};
  return Error{std::string(f_.name) +
               " has a size that is not known (its datatype's making is not in the trace, or the "
               "size makes no sense)"};
}

Status Lowerer::checked() const {
  if (is_bad_peer_) {
    return Error{std::string(f_.name) +
                 " names a rank that its communicator does not have (the trace is damaged, or "
                 "the communicator's making is not in it)"};
  }
  return sized();
}

std::uint32_t Lowerer::peer_of(std::int64_t rank) {
  if (rank == trace::kProcNull) return kNobody;
  if (!place_ || rank < 0 || static_cast<std::uint64_t>(rank) >= place_->group->peers()) {
    is_bad_peer_ = true;
    return kNobody;
  }
  if (place_->group->is_world) return static_cast<std::uint32_t>(rank);
  if (place_->group->members.empty()) return objects_.rank();  // MPI_COMM_SELF
  return place_->group->peer(static_cast<std::uint64_t>(rank));
}

Status Lowerer::learn() {
  objects_.learn_types(e_);
  objects_.groups().learn(e_);
  if (s_.makes_group) {
    // A set of processes of unknown name has unknown members.
    const Place* place = place_;
    if (const auto set = mpi::process_set(e_)) place = objects_.comm(number_of(*set));
    if (place) {
      const bool is_remote = f_.name == "MPI_Comm_remote_group";
      objects_.groups().add(scalar(s_.group), [whole = place->group, is_remote] {
        return is_remote ? whole->others : whole->listed();
      });
    } else {
      objects_.groups().forget(scalar(s_.group));
    }
  }
  // A local call that makes a request: a generalized one, which the program itself completes.
  if (s_.keep != Keep::inner) add({.what = Do::null, .keep = s_.keep});
  if (f_.traits & trace::traits::kCreate) out_.is_lasting = false;
  return {};
}

Status Lowering::lower(trace::Event& event, RankObjects& objects, mpi::LookAhead* ahead,
                       CallSteps& out) const {
  out.clear();
  out.meetings.clear();
  out.collectives.clear();
  out.is_lasting = true;
  out.type_version = objects.type_version();
  return Lowerer(trace_, machine_, times_, options_, event, objects, ahead, out).lower();
}

void Lowering::enter(const Place& place, CallSteps& out) const {
  for (GroupCollective& c : plan_exchanges(machine_.making.communicator, machine_, place, 0))
    out.add(std::move(c));
}

}  // namespace reprise::simulate
