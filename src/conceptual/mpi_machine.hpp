// The machine of a coNCePTuaL program that MPI is.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <vector>

#include "conceptual/machine.hpp"

namespace reprise::conceptual {

// Between MPI_Init and MPI_Finalize. MPI calls: send is MPI_Send or MPI_Isend, receive MPI_Recv or
// MPI_Irecv, await_all MPI_Waitall over all that is pending, synchronize MPI_Barrier, broadcast
// MPI_Bcast, exchange MPI_Alltoall or MPI_Alltoallv, reduce MPI_Reduce or MPI_Allreduce.
class MpiMachine : public Machine {
 public:
  MpiMachine();
  ~MpiMachine() override;
  MpiMachine(const MpiMachine&) = delete;
  MpiMachine& operator=(const MpiMachine&) = delete;

  std::int64_t task() const override { return task_; }
  std::int64_t tasks() const override { return tasks_; }
  void send(std::int64_t to, std::int64_t bytes, std::int64_t tag, Completion when) override;
  void receive(std::int64_t from, std::int64_t bytes, std::int64_t tag, Completion when) override;
  void await_all() override;
  void synchronize(const std::vector<std::int64_t>& members) override;
  void broadcast(const std::vector<std::int64_t>& members, std::int64_t root,
                 std::int64_t bytes) override;
  void exchange(const Exchange& exchange) override;
  void reduce(const std::vector<std::int64_t>& members, std::int64_t root, std::int64_t count,
              std::int64_t unit) override;
  void compute(std::int64_t us) override;
  void sleep(std::int64_t us) override;
  std::int64_t now_us() override;
  void print(const std::string& text) override;

 private:
  MPI_Comm communicator(const std::vector<std::int64_t>& members);
  char* buffer(std::vector<char>& memory, std::int64_t bytes);

  int task_ = 0, tasks_ = 1;
  std::map<std::vector<std::int64_t>, MPI_Comm> communicators_;  // but the world
  std::vector<MPI_Request> pending_;
  // Messages on their way share memory: what they hold does not matter.
  std::vector<char> outgoing_, incoming_;
  std::vector<std::vector<char>> outgrown_;  // that pending operations may still use
};

}  // namespace reprise::conceptual
