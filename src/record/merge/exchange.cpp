#include "record/merge/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <thread>

namespace reprise::record {
namespace {

constexpr int kTag = 1;
constexpr std::uint64_t kChunk = std::uint64_t{1} << 28;    // of one message [bytes]
constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;    // of one broadcast [bytes]
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 13;  // of one reduction
constexpr std::uint64_t kFailed = ~std::uint64_t{0};        // in place of a size: there is nothing

// Applies `transfer` to pieces that an int can count. False: one of them failed.
template <class Transfer>
bool in_pieces(std::uint64_t size, std::uint64_t piece, Transfer&& transfer) {
  bool good = true;
  for (std::uint64_t at = 0; at < size; at += piece) {
    good = transfer(at, static_cast<int>(std::min(piece, size - at))) && good;
  }
  return good;
}

Bytes room(std::uint64_t size) noexcept {
  try {
    return std::vector<std::uint8_t>(size);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// What a rank without an array takes part with: nothing is less.
std::int64_t* spare_numbers() {
  static std::int64_t none[kNumbers];
  std::fill(std::begin(none), std::end(none), std::numeric_limits<std::int64_t>::min());
  return none;
}

}  // namespace

int wait_idly(MPI_Request request) noexcept {
  constexpr std::chrono::microseconds kShortest{10}, kLongest{1000};
  for (std::chrono::microseconds pause = kShortest;; pause = std::min(2 * pause, kLongest)) {
    int is_over = 0;
    const int result = PMPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
    if (is_over || result != MPI_SUCCESS) return result;
    std::this_thread::sleep_for(pause);
  }
}

bool send(const Bytes& bytes, int to, MPI_Comm comm) noexcept {
  const std::uint64_t size = bytes ? bytes->size() : kFailed;
  if (PMPI_Send(&size, 1, MPI_UINT64_T, to, kTag, comm) != MPI_SUCCESS || !bytes) return false;
  return in_pieces(size, kChunk, [&](std::uint64_t at, int n) {
    return completes([&](MPI_Request* request) {
      return PMPI_Isend(bytes->data() + at, n, MPI_BYTE, to, kTag, comm, request);
    });
  });
}

Bytes receive(int from, MPI_Comm comm) noexcept {
  std::uint64_t size = kFailed;
  const bool is_known = completes([&](MPI_Request* request) {
    return PMPI_Irecv(&size, 1, MPI_UINT64_T, from, kTag, comm, request);
  });
  if (!is_known || size == kFailed) return std::nullopt;
  Bytes bytes = room(size);
  const bool good = in_pieces(size, kChunk, [&](std::uint64_t at, int n) {
    // Where there is no room it is received into nothing, which is an error, so that it is gone.
    return PMPI_Recv(bytes ? bytes->data() + at : nullptr, bytes ? n : 0, MPI_BYTE, from, kTag,
                     comm, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  });
  return good ? std::move(bytes) : std::nullopt;
}

// MPICH cannot test requests in a session of one rank, which needs none. A rank without memory for
// the data still has to forward every piece.
Bytes broadcast(Bytes bytes, MPI_Comm comm) noexcept {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  if (ranks == 1) return bytes;
  static std::uint8_t spare[kPiece];
  std::uint64_t size = bytes ? bytes->size() : kFailed;
  const bool is_known = completes(
      [&](MPI_Request* request) { return PMPI_Ibcast(&size, 1, MPI_UINT64_T, 0, comm, request); });
  if (!is_known || size == kFailed) return std::nullopt;
  if (!bytes) bytes = room(size);
  const bool good = in_pieces(size, kPiece, [&](std::uint64_t at, int n) {
    return PMPI_Bcast(bytes ? bytes->data() + at : spare, n, MPI_BYTE, 0, comm) == MPI_SUCCESS;
  });
  return good ? std::move(bytes) : std::nullopt;
}

Maxima::Maxima(MPI_Comm comm) noexcept : comm_(comm) { PMPI_Comm_rank(comm_, &rank_); }

Maxima::~Maxima() {
  if (rank_ == 0) {
    announce(0);
    return;
  }
  while (!is_over_) {
    if (const std::int64_t size = announce(0)) take_part(nullptr, size);
  }
}

bool Maxima::combine(std::vector<std::int64_t>& numbers) noexcept {
  const auto size = static_cast<std::int64_t>(numbers.size());
  if (size == 0) return true;
  if (is_over_) return false;
  const std::int64_t announced = announce(size);
  if (announced == 0) return false;
  return take_part(announced == size ? numbers.data() : nullptr, announced) && announced == size;
}

std::int64_t Maxima::announce(std::int64_t size) noexcept {
  if (PMPI_Bcast(&size, 1, MPI_INT64_T, 0, comm_) != MPI_SUCCESS) size = 0;
  is_over_ = size == 0;
  return size;
}

bool Maxima::take_part(std::int64_t* numbers, std::int64_t size) noexcept {
  return in_pieces(static_cast<std::uint64_t>(size), kNumbers, [&](std::uint64_t at, int piece) {
    return PMPI_Allreduce(MPI_IN_PLACE, numbers ? numbers + at : spare_numbers(), piece,
                          MPI_INT64_T, MPI_MAX, comm_) == MPI_SUCCESS;
  });
}

}  // namespace reprise::record
