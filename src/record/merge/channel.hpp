// The channel of a recording: a communicator of the recorder's own, over all processes of the job.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "record/merge/attempt.hpp"

namespace reprise::record {

// What a process has initialized: MPI as a whole, or sessions alone.
enum class MpiModel : std::uint8_t { world, sessions };

// Opens the channel, with the processes by their ranks in the world. Collective over them. Under
// MpiModel::sessions it comes from a session of the recorder's own, which keeps MPI running until
// the channel is closed; MPI_COMM_NULL if MPI has no process set mpi://WORLD.
MPI_Comm open_channel(MpiModel model);
void close_channel(MPI_Comm channel, MpiModel model);

struct Run {
  std::uint64_t name = 0;  // shared by its ranks and no other run
  std::uint64_t age = 0;   // since a moment that is the same for all ranks [ns]; 0: unknown
};
// Collective over the channel.
Run name_run(MPI_Comm channel) noexcept;

// The lowest rank for which `failed` holds, -1 if there is none. Collective over the channel.
int first_failed(bool failed, MPI_Comm channel) noexcept;

struct Failure {
  static constexpr int kMostWhy = 511;  // [bytes]

  int rank = 0;
  std::string why;

  // "WHY on rank N"
  Error error() const noexcept {
    char text[kMostWhy + 32];
    std::snprintf(text, sizeof text, "%s on rank %d", why.c_str(), rank);
    return error_of(text);
  }
};
// The failure of the lowest rank that has failed, the same on all ranks; empty if all have
// succeeded. Collective over the channel.
std::optional<Failure> first_failure(const Status& mine, MPI_Comm channel) noexcept;

}  // namespace reprise::record
