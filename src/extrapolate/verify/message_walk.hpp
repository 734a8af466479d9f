// The messages that each rank sends and receives, as far as a trace determines them.
#pragma once

#include <functional>

#include "extrapolate/verify/communicators.hpp"
#include "extrapolate/verify/type_sizes.hpp"

namespace reprise::extrapolate {

struct Message {
  enum class End : std::uint8_t { sent, received };

  End end = End::sent;
  std::uint32_t call = 0;  // index into Trace::calls
  std::int64_t rank = 0;   // of MPI_COMM_WORLD, that makes the call
  std::int64_t comm = 0;
  std::uint32_t part = 0;   // of the communicator (inputs/communicators.hpp)
  std::int64_t source = 0;  // in it, or trace::kAnySource
  std::int64_t dest = 0;    // in it
  std::int64_t tag = 0;     // or trace::kAnyTag
  mpi::Bytes bytes;         // of each, or the room for one
  std::uint64_t times = 0;
};

class MessageWalk {
 public:
  MessageWalk(const trace::Trace& trace, const Communicators& communicators,
              const mpi::TypeSizes& types, Budget& budget, Findings& findings);

  // There are none, or they cannot be told: persistent requests started very often.
  bool is_empty() const { return empty_; }

  // Every message of every rank; the same ones each time. False if the budget did not last.
  bool walk(const std::function<void(const Message&)>& visit);

 private:
  // One end of what a call transfers, by columns.
  struct Role {
    Message::End end = Message::End::sent;
    std::size_t peer = 0, tag = 0;
    int count = -1, type = -1;
  };

  static std::vector<Role> roles_of(const trace::Function& f);
  void prepare();
  std::vector<std::size_t> asked_for(const trace::Function& f) const;
  void read(const Visit& visit, const std::function<void(const Message&)>& out);
  void read_persistent(const std::function<void(const Message&)>& out);
  mpi::Bytes bytes_of(const Role& role, std::span<const std::int64_t> scalars) const;
  void send_off(std::uint32_t call, std::int64_t rank, std::uint64_t times, const Role& role,
                std::span<const std::int64_t> scalars,
                const std::function<void(const Message&)>& out);

  const trace::Trace& trace_;
  const Communicators& communicators_;
  Budget& budget_;
  Findings& findings_;
  const mpi::TypeSizes& types_;
  std::vector<std::vector<Role>> roles_;  // by call
  AskedColumns asked_;                    // by call; of persistent ones nothing
  bool persistent_ = false, empty_ = true;
  std::vector<std::int64_t> scalars_;
};

}  // namespace reprise::extrapolate
