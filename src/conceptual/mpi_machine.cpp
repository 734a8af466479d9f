#include "conceptual/mpi_machine.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>

namespace reprise::conceptual {
namespace {

constexpr std::int64_t kMaxCount = std::numeric_limits<int>::max();

// Sizes beyond MPI's are an end of the program, not a wrong size.
int count(std::int64_t n) {
  if (n > kMaxCount) {
    std::fprintf(stderr, "reprise: a message of %lld bytes is more than MPI takes at once\n",
                 static_cast<long long>(n));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return static_cast<int>(n);
}

int rank_of(const std::vector<std::int64_t>& members, std::int64_t task) {
  return static_cast<int>(std::ranges::lower_bound(members, task) - members.begin());
}

}  // namespace

MpiMachine::MpiMachine() {
  MPI_Comm_rank(MPI_COMM_WORLD, &task_);
  MPI_Comm_size(MPI_COMM_WORLD, &tasks_);
}

MpiMachine::~MpiMachine() {
  if (!pending_.empty()) await_all();
  for (auto& [members, comm] : communicators_) MPI_Comm_free(&comm);
}

char* MpiMachine::buffer(std::vector<char>& memory, std::int64_t bytes) {
  const auto n = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  if (memory.size() >= n) return memory.data();
  if (!pending_.empty()) outgrown_.push_back(std::move(memory));
  memory = std::vector<char>(n);
  return memory.data();
}

void MpiMachine::send(std::int64_t to, std::int64_t bytes, std::int64_t tag, Completion when) {
  if (to < 0 || to >= tasks_) return;  // as the language has it
  char* const data = buffer(outgoing_, bytes);
  const auto dest = static_cast<int>(to), t = static_cast<int>(tag);
  if (when == Completion::at_once) {
    MPI_Send(data, count(bytes), MPI_BYTE, dest, t, MPI_COMM_WORLD);
  } else {
    MPI_Isend(data, count(bytes), MPI_BYTE, dest, t, MPI_COMM_WORLD, &pending_.emplace_back());
  }
}

void MpiMachine::receive(std::int64_t from, std::int64_t bytes, std::int64_t tag, Completion when) {
  if (from < 0 || from >= tasks_) return;
  char* const data = buffer(incoming_, bytes);
  const auto source = static_cast<int>(from), t = static_cast<int>(tag);
  if (when == Completion::at_once) {
    MPI_Recv(data, count(bytes), MPI_BYTE, source, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(data, count(bytes), MPI_BYTE, source, t, MPI_COMM_WORLD, &pending_.emplace_back());
  }
}

void MpiMachine::await_all() {
  MPI_Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE);
  pending_.clear();
  outgrown_.clear();
}

MPI_Comm MpiMachine::communicator(const std::vector<std::int64_t>& members) {
  if (std::ssize(members) == tasks_) return MPI_COMM_WORLD;
  const auto [entry, is_new] = communicators_.try_emplace(members, MPI_COMM_NULL);
  if (!is_new) return entry->second;
  const std::vector<int> ranks(members.begin(), members.end());
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &entry->second);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return entry->second;
}

void MpiMachine::synchronize(const std::vector<std::int64_t>& members) {
  MPI_Barrier(communicator(members));
}

void MpiMachine::broadcast(const std::vector<std::int64_t>& members, std::int64_t root,
                           std::int64_t bytes) {
  MPI_Bcast(buffer(incoming_, bytes), count(bytes), MPI_BYTE, rank_of(members, root),
            communicator(members));
}

void MpiMachine::exchange(const Exchange& e) {
  const MPI_Comm comm = communicator(e.members);
  if (e.is_uniform) {
    const std::int64_t bytes = e.outgoing.front();
    const std::int64_t all = bytes * std::ssize(e.members);
    MPI_Alltoall(buffer(outgoing_, all), count(bytes), MPI_BYTE, buffer(incoming_, all),
                 count(bytes), MPI_BYTE, comm);
    return;
  }
  const auto lay_out = [](const std::vector<std::int64_t>& bytes, std::vector<int>& counts,
                          std::vector<int>& places) {
    std::int64_t sum = 0;
    for (const std::int64_t b : bytes) {
      counts.push_back(count(b));
      places.push_back(count(sum));
      sum += b;
    }
    return sum;
  };
  std::vector<int> out_counts, out_places, in_counts, in_places;
  const std::int64_t out = lay_out(e.outgoing, out_counts, out_places);
  const std::int64_t in = lay_out(e.incoming, in_counts, in_places);
  MPI_Alltoallv(buffer(outgoing_, out), out_counts.data(), out_places.data(), MPI_BYTE,
                buffer(incoming_, in), in_counts.data(), in_places.data(), MPI_BYTE, comm);
}

void MpiMachine::reduce(const std::vector<std::int64_t>& members, std::int64_t root, std::int64_t n,
                        std::int64_t unit) {
  const MPI_Comm comm = communicator(members);
  const MPI_Datatype type = unit == 8 ? MPI_DOUBLE : unit == 1 ? MPI_CHAR : MPI_INT;
  const std::int64_t bytes = n * (unit == 8 ? 8 : unit == 1 ? 1 : 4);
  char* const out = buffer(outgoing_, bytes);
  char* const in = buffer(incoming_, bytes);
  if (root < 0) {
    MPI_Allreduce(out, in, count(n), type, MPI_MAX, comm);
  } else {
    MPI_Reduce(out, in, count(n), type, MPI_MAX, rank_of(members, root), comm);
  }
}

std::int64_t MpiMachine::now_us() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t{t.tv_sec} * 1000000 + t.tv_nsec / 1000;
}

void MpiMachine::compute(std::int64_t us) {
  const std::int64_t end = now_us() + us;
  while (now_us() < end) {
  }
}

void MpiMachine::sleep(std::int64_t us) {
  const timespec t{static_cast<time_t>(us / 1000000), static_cast<long>(us % 1000000 * 1000)};
  nanosleep(&t, nullptr);
}

void MpiMachine::print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace reprise::conceptual
