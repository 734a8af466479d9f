// The objects that the ranks have created so far: communicators, windows, files and datatypes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi/communicators/process_groups.hpp"
#include "mpi/payloads/type_sizes.hpp"
#include "simulate/lower/groups.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::simulate {

// Of one rank, shared by its threads.
class RankObjects {
 public:
  RankObjects(std::uint32_t rank, std::shared_ptr<const Group> world,
              std::shared_ptr<const Group> self)
      : rank_(rank), world_{std::move(world), rank, 0}, self_{std::move(self), 0, 0} {}

  std::uint32_t rank() const { return rank_; }

  // Null: not known.
  Place* comm(std::int64_t id);
  void set_comm(std::int64_t id, Place place) { comms_[id] = std::move(place); }
  void forget_comm(std::int64_t id) { comms_.erase(id); }
  Place* window(std::int64_t id) { return find(windows_, id); }
  void set_window(std::int64_t id, Place place) { windows_[id] = std::move(place); }
  Place* file(std::int64_t id) { return find(files_, id); }
  void set_file(std::int64_t id, Place place) { files_[id] = std::move(place); }

  mpi::ProcessGroups& groups() { return groups_; }

  // The processes of the group that an access epoch of a window was begun for, or an exposure
  // epoch; null: not known.
  void set_epoch(std::int64_t window, bool is_exposed, std::int64_t group);
  const std::vector<std::uint32_t>* epoch(std::int64_t window, bool is_exposed) const;
  // Which kind of lock this rank has of a window at a peer. Taking it gives it up; none: it has
  // none.
  void set_lock(std::uint64_t window, std::uint32_t peer, bool is_exclusive);
  std::optional<bool> take_lock(std::uint64_t window, std::uint32_t peer);

  const mpi::TypeSizes& types() const { return types_; }
  // Takes in the datatypes that an event makes.
  void learn_types(const trace::Event& event) {
    if (!types_.learn(event)) ++type_version_;
  }
  // Incremented when a datatype's number gets another meaning.
  std::uint32_t type_version() const { return type_version_; }

 private:
  static Place* find(std::unordered_map<std::int64_t, Place>& places, std::int64_t id) {
    const auto found = places.find(id);
    return found == places.end() ? nullptr : &found->second;
  }

  std::uint32_t rank_;
  Place world_, self_;
  std::unordered_map<std::int64_t, Place> comms_, windows_, files_;
  mpi::TypeSizes types_;
  std::uint32_t type_version_ = 0;
  mpi::ProcessGroups groups_;
  std::map<std::pair<std::int64_t, bool>, std::optional<std::vector<std::uint32_t>>> epochs_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, bool> locks_;
};

}  // namespace reprise::simulate
