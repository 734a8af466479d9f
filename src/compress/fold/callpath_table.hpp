// Call paths in terms that hold in every process: frames as (module by identity, offset).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "trace/program.hpp"

namespace reprise::compress {

// How much of its call paths a trace keeps.
enum class CallpathMode : std::uint8_t {
  full,  // every frame
  site,  // the innermost frame
  none   // which calls have the same path
};

struct GlobalFrame {
  std::uint64_t module = 0;  // hash of the module's identity
  std::uint64_t offset = 0;  // within the module [bytes]

  bool operator==(const GlobalFrame&) const = default;
};

// The MPI function that is called at a call path, by the path's hash. Paths at which several are
// called are left out.
using FunctionOfPath = std::map<std::uint64_t, std::string>;

class CallpathTable {
 public:
  // Both return the hash by which the thing is known everywhere.
  std::uint64_t add_module(const trace::Module& module);
  std::uint64_t add_path(std::vector<GlobalFrame> frames);  // the innermost first

  std::size_t size() const { return paths_.size(); }
  bool has(std::uint64_t path) const { return paths_.contains(path); }
  const trace::Module& module(std::uint64_t hash) const { return modules_.at(hash); }
  // visit(hash of the path, its frames) in the order of the hashes.
  template <class Visit>
  void for_each_path(const Visit& visit) const {
    for (const auto& [hash, frames] : paths_) visit(hash, frames);
  }
  void merge(const CallpathTable& other);
  // The table of one of its paths. REQUIRES: has(path).
  CallpathTable only(std::uint64_t path) const;

  // Writes modules, frames and call paths into the trace, as much of each path as `mode` says;
  // returns, per hash, its index there.
  std::vector<std::uint32_t> write(std::span<const std::uint64_t> paths, CallpathMode mode,
                                   trace::Trace& out) const;

  // table := varint modules, (text path, text build id)*,
  //          varint paths, (varint frames, (varint module, varint offset)*)*
  void encode(ByteWriter& out) const;
  static CallpathTable decode(ByteReader& in);

 private:
  std::map<std::uint64_t, trace::Module> modules_;
  std::map<std::uint64_t, std::vector<GlobalFrame>> paths_;
};

}  // namespace reprise::compress
