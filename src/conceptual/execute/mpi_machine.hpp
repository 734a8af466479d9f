// The machine that is MPI: what operations of a plan are in its calls, made where a recorder sees
// them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <vector>

#include "conceptual/execute/buffers.hpp"
#include "conceptual/execute/machine.hpp"

namespace reprise::conceptual {

class MpiMachine : public Machine {
 public:
  // MPI is running.
  MpiMachine();

  std::int64_t rank() const override { return rank_; }
  std::int64_t ranks() const override { return ranks_; }
  std::int64_t max_tag() const override { return max_tag_; }
  std::int64_t execute(const Operation& o) override;
  std::int64_t wait_all() override;
  std::size_t pending() const override { return requests_.size(); }
  void synchronize() override;
  std::int64_t least(std::int64_t value) override;
  std::int64_t now_us() override;
  void sleep_us(std::int64_t us) override;
  void spin_us(std::int64_t us) override;
  void print(const std::string& line) override;

 private:
  // A receive that is under way and will be looked at.
  struct Arrival {
    std::byte* data;
    const Operation what;
  };

  std::int64_t execute_once(const Operation& o);
  void send(const Operation& o);
  std::int64_t receive(const Operation& o);
  std::int64_t broadcast(const Operation& o);
  void reduce(const Operation& o);
  void alltoall(const Operation& o);
  void alltoallv(const Operation& o);

  // The communicator of these members, made when it is first used: the same for equal members. All
  // of them call this, in the same order.
  MPI_Comm comm_of(const std::shared_ptr<const Members>& members);

  int rank_ = 0, ranks_ = 1;
  std::int64_t max_tag_ = 32767;
  std::vector<MPI_Request> requests_;
  std::vector<Arrival> arrivals_;
  Buffers buffers_;
  std::map<Members, MPI_Comm> comms_;
  // By address, so that the members need not be compared in every round of a loop; the pointers are
  // kept, so that none is used twice.
  std::map<const Members*, std::pair<std::shared_ptr<const Members>, MPI_Comm>> known_;
};

}  // namespace reprise::conceptual
