// How much memory the elements of a datatype take.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <unordered_map>

namespace reprise::replay {

// Bytes around the address of a buffer, half-open; and how many of them are data.
struct Room {
  std::int64_t low = 0, high = 0;
  std::int64_t bytes = 0;

  void include(const Room& other, std::int64_t displacement);
};

class TypeTable {
 public:
  // `count` elements, one extent apart.
  Room room(std::int64_t count, MPI_Datatype type);
  // Blocks of one type, displaced by extents, or where `displs` is null, one behind the other.
  template <class Count, class Displacement>
  Room room(int n, const Count* counts, const Displacement* displs, MPI_Datatype type) {
    Room all;
    const std::int64_t step = extent(type).extent;
    for (int i = 0; i < n; ++i) {
      if (counts[i] > 0) all.include(room(counts[i], type), displs[i] * step);
    }
    return all;
  }
  template <class Count>
  Room room(int n, const Count* counts, std::nullptr_t, MPI_Datatype type) {
    std::int64_t sum = 0;
    for (int i = 0; i < n; ++i) sum += counts[i];
    return room(sum, type);
  }
  // Blocks of types of their own, displaced by bytes.
  template <class Count, class Displacement>
  Room room(int n, const Count* counts, const Displacement* displs, const MPI_Datatype* types) {
    Room all;
    for (int i = 0; i < n; ++i)
      if (counts[i] > 0) all.include(room(counts[i], types[i]), displs[i]);
    return all;
  }

  // All room from now on reaches as far as so many elements of a type, which others are made of and
  // MPI does not say.
  void widen(std::int64_t count, MPI_Datatype type);

  // The handle may stand for another type from now on.
  void forget() { last_known_ = false; }

 private:
  struct Extent {
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    MPI_Count size = 0;
  };
  const Extent& extent(MPI_Datatype type);

  bool last_known_ = false;
  MPI_Datatype last_ = MPI_DATATYPE_NULL;
  Extent extent_;
  std::int64_t widest_ = 0;  // [bytes]
};

}  // namespace reprise::replay
