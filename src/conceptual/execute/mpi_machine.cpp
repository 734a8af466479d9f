#include "conceptual/execute/mpi_machine.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#ifdef SMPI_H
#include <simgrid/engine.h>
#include <smpi/smpi_helpers_internal.h>
#endif

namespace reprise::conceptual {
namespace {

MPI_Datatype type_of(const Operation& o) {
  return o.element == Unit::integer ? MPI_INT : MPI_DOUBLE;
}

std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed;
}

timespec timespec_of(std::int64_t us) {
  return {static_cast<std::time_t>(us / 1000000), static_cast<long>(us % 1000000) * 1000};
}

std::int64_t check(std::byte* data, const Operation& o) {
  const auto bytes = static_cast<std::size_t>(o.bytes);
  if (o.touching) touch(data, bytes);
  return o.verification ? errors_in(data, bytes) : 0;
}

}  // namespace

MpiMachine::MpiMachine() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  int* bound = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  if (found) max_tag_ = *bound;
}

std::int64_t MpiMachine::execute(const Operation& o) {
  std::int64_t errors = 0;
  for (std::int64_t i = 0; i < o.times; ++i) errors += execute_once(o);
  return errors;
}

std::int64_t MpiMachine::execute_once(const Operation& o) {
  switch (o.kind) {
    case Operation::Kind::receive: return receive(o);
    case Operation::Kind::broadcast: return broadcast(o);
    case Operation::Kind::send: send(o); break;
    case Operation::Kind::barrier: MPI_Barrier(comm_of(o.members)); break;
    case Operation::Kind::alltoall: alltoall(o); break;
    case Operation::Kind::alltoallv: alltoallv(o); break;
    case Operation::Kind::reduce:
    case Operation::Kind::allreduce: reduce(o); break;
  }
  return 0;
}

void MpiMachine::send(const Operation& o) {
  const auto bytes = static_cast<std::size_t>(o.bytes);
  const void* data = nullptr;
  if (o.touching || o.verification) {
    std::byte* own = o.asynchronous ? buffers_.own(bytes) : buffers_.spare(bytes);
    if (o.verification) fill(own, bytes, new_seed());
    if (o.touching) touch(own, bytes);
    data = own;
  } else {
    data = buffers_.payload(bytes);
  }
  const int count = static_cast<int>(o.bytes), to = static_cast<int>(o.peer),
            tag = static_cast<int>(o.tag);
  if (!o.asynchronous) {
    MPI_Send(data, count, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    return;
  }
  requests_.push_back(MPI_REQUEST_NULL);
  MPI_Isend(data, count, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests_.back());
}

std::int64_t MpiMachine::receive(const Operation& o) {
  const auto bytes = static_cast<std::size_t>(o.bytes);
  const int count = static_cast<int>(o.bytes), from = static_cast<int>(o.peer),
            tag = static_cast<int>(o.tag);
  if (!o.asynchronous) {
    std::byte* data = buffers_.spare(bytes);
    MPI_Recv(data, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return check(data, o);
  }
  std::byte* data = buffers_.own(bytes);
  if (o.touching || o.verification) arrivals_.push_back({data, o});
  requests_.push_back(MPI_REQUEST_NULL);
  MPI_Irecv(data, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_.back());
  return 0;
}

std::int64_t MpiMachine::wait_all() {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
  std::int64_t errors = 0;
  for (const Arrival& a : arrivals_) errors += check(a.data, a.what);
  arrivals_.clear();
  buffers_.release();
  return errors;
}

std::int64_t MpiMachine::broadcast(const Operation& o) {
  const MPI_Comm comm = comm_of(o.members);
  const auto bytes = static_cast<std::size_t>(o.bytes);
  std::byte* data = buffers_.spare(bytes);
  const bool root = (*o.members)[static_cast<std::size_t>(o.peer)] == rank_;
  if (root && o.verification) fill(data, bytes, new_seed());
  if (root && o.touching) touch(data, bytes);
  MPI_Bcast(data, static_cast<int>(o.bytes), MPI_BYTE, static_cast<int>(o.peer), comm);
  return root ? 0 : check(data, o);
}

void MpiMachine::alltoall(const Operation& o) {
  const std::size_t bytes = static_cast<std::size_t>(o.bytes) * o.members->size();
  MPI_Alltoall(buffers_.payload(bytes), static_cast<int>(o.bytes), MPI_BYTE, buffers_.spare(bytes),
               static_cast<int>(o.bytes), MPI_BYTE, comm_of(o.members));
}

void MpiMachine::alltoallv(const Operation& o) {
  const auto places = [](const std::vector<int>& counts) {
    std::vector<int> out(counts.size());
    for (std::size_t i = 1; i < counts.size(); ++i) out[i] = out[i - 1] + counts[i - 1];
    return out;
  };
  const std::vector<int> from = places(o.sent), to = places(o.received);
  MPI_Alltoallv(buffers_.payload(static_cast<std::size_t>(from.back() + o.sent.back())),
                o.sent.data(), from.data(), MPI_BYTE,
                buffers_.spare(static_cast<std::size_t>(to.back() + o.received.back())),
                o.received.data(), to.data(), MPI_BYTE, comm_of(o.members));
}

void MpiMachine::reduce(const Operation& o) {
  const std::size_t bytes =
      static_cast<std::size_t>(o.bytes) * (o.element == Unit::integer ? 4 : 8);
  const void* data = buffers_.payload(bytes);
  if (o.touching) {
    std::byte* own = buffers_.second_spare(bytes);
    touch(own, bytes);
    touch(own, bytes);  // twice, so that the numbers stay
    data = own;
  }
  std::byte* result = buffers_.spare(bytes);
  const int count = static_cast<int>(o.bytes);
  if (o.kind == Operation::Kind::allreduce) {
    MPI_Allreduce(data, result, count, type_of(o), MPI_SUM, comm_of(o.members));
  } else {
    MPI_Reduce(data, result, count, type_of(o), MPI_SUM, static_cast<int>(o.peer),
               comm_of(o.members));
  }
}

MPI_Comm MpiMachine::comm_of(const std::shared_ptr<const Members>& members) {
  if (members->size() == static_cast<std::size_t>(ranks_)) return MPI_COMM_WORLD;
  const auto known = known_.find(members.get());
  if (known != known_.end()) return known->second.second;
  auto found = comms_.find(*members);
  if (found == comms_.end()) {
    const std::vector<int> list(members->begin(), members->end());
    MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, static_cast<int>(list.size()), list.data(), &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    found = comms_.emplace(*members, comm).first;
  }
  if (known_.size() > 4096) known_.clear();
  known_.emplace(members.get(), std::pair(members, found->second));
  return found->second;
}

void MpiMachine::synchronize() { MPI_Barrier(MPI_COMM_WORLD); }

std::int64_t MpiMachine::least(std::int64_t value) {
  long long mine = value, out = 0;
  MPI_Allreduce(&mine, &out, 1, MPI_LONG_LONG_INT, MPI_MIN, MPI_COMM_WORLD);
  return out;
}

#ifdef SMPI_H

std::int64_t MpiMachine::now_us() { return std::llround(simgrid_get_clock() * 1e6); }

void MpiMachine::sleep_us(std::int64_t us) {
  const timespec length = timespec_of(us);
  smpi_nanosleep(&length, nullptr);
}

// Simulated time stands still while a task computes.
void MpiMachine::spin_us(std::int64_t us) { sleep_us(us); }

#else

std::int64_t MpiMachine::now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void MpiMachine::sleep_us(std::int64_t us) {
  timespec left = timespec_of(us);
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

void MpiMachine::spin_us(std::int64_t us) {
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::microseconds length(us);
  while (std::chrono::steady_clock::now() - begin < length) {
  }
}

#endif

void MpiMachine::print(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace reprise::conceptual
