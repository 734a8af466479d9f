#include "code/read_code.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "code/counted_loops.hpp"
#include "code/flow.hpp"
#include "code/loop_nest.hpp"
#include "code/tail_calls.hpp"

namespace reprise::code {

using compress::GlobalFrame;
using trace::CodeFunction;
using trace::CodePoint;

namespace {

// The points of one module, by the end of the instruction that leaves the function there: of a
// call, its return address.
class ModuleCode {
 public:
  ModuleCode(const trace::Module& module, trace::Code& out) : tail_calls_(module), out_(out) {}

  // The possible chains of tail calls between a call and the function that an address lies in. One
  // empty chain if no frame is missing, or if it is unknown which.
  std::vector<TailCalls::Chain> tail_call_chains(TailCalls::ReturnAddresses returns) {
    auto out = tail_calls_.to_function(returns).found;
    if (out.empty()) out.emplace_back();
    return out;
  }

  // The only possible chain of tail calls between a call and an MPI function. One empty chain if no
  // frame is missing, or if others are possible.
  std::vector<TailCalls::Chain> tail_call_chains_to_mpi(std::uint64_t return_address,
                                                        const std::string& function) {
    auto [found, is_all] = tail_calls_.to_mpi(return_address, function);
    if (found.empty() || !is_all) found.assign(1, {});
    return std::move(found);
  }

  // REQUIRES: the addresses are sorted.
  void read(const std::vector<std::uint64_t>& return_addresses) {
    for (const std::uint64_t address : return_addresses) {
      if (points_.contains(address)) continue;
      if (!read_function(address, return_addresses)) add_unknown(address);
    }
  }

  CodePoint at(std::uint64_t return_address) const { return points_.at(return_address); }

 private:
  // Adds the function that a call lies in, with all its points.
  bool read_function(std::uint64_t address, const std::vector<std::uint64_t>& all) {
    const Flow* flow = tail_calls_.flow_at(address);
    if (!flow) return false;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t b = 0; b < flow->blocks.size(); ++b) {
      if (std::ranges::binary_search(all, flow->blocks[b].end)) blocks.push_back(b);
    }
    FoundNest nest = find_loop_nest(*flow, blocks);
    if (!nest.function.is_known) return false;
    std::vector<std::uint64_t>& trips = nest.function.trips;
    trips = constant_trips(tail_calls_.binary(), *flow, nest.loops);
    while (!trips.empty() && trips.back() == 0) trips.pop_back();
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
      points_[flow->blocks[blocks[i]].end] = {number_of_next(), i};
    out_.functions.push_back(std::move(nest.function));
    return points_.contains(address);
  }

  void add_unknown(std::uint64_t address) {
    points_[address] = {number_of_next(), 0};
    out_.functions.push_back({false, {}, {CodeFunction::kNoLoop}, {}});
  }

  std::uint32_t number_of_next() const { return static_cast<std::uint32_t>(out_.functions.size()); }

  TailCalls tail_calls_;
  trace::Code& out_;
  std::map<std::uint64_t, CodePoint> points_;
};

// The frames of a call path, the outermost first, with those that tail calls left out: a path for
// each possible chain of tail calls. `function`: the MPI function called; empty: not known.
std::vector<std::vector<GlobalFrame>> with_tail_calls(
    const std::vector<GlobalFrame>& frames, const std::string& function,
    std::map<std::uint64_t, ModuleCode>& modules) {
  std::vector<std::vector<GlobalFrame>> out{{}};
  for (std::size_t i = frames.size(); i-- > 0;) {
    const GlobalFrame& f = frames[i];
    for (auto& path : out) path.push_back(f);
    if (i == 0 ? function.empty() : frames[i - 1].module != f.module) continue;
    ModuleCode& module = modules.at(f.module);
    const auto chains =
        i == 0 ? module.tail_call_chains_to_mpi(f.offset, function)
               : module.tail_call_chains({.outer = f.offset, .inner = frames[i - 1].offset});
    if (chains.size() * out.size() > TailCalls::kMaxChains) continue;
    std::vector<std::vector<GlobalFrame>> longer;
    for (const auto& path : out) {
      for (const auto& chain : chains) {
        longer.push_back(path);
        for (const std::uint64_t jump : chain) longer.back().push_back({f.module, jump});
      }
    }
    out = std::move(longer);
  }
  return out;
}

}  // namespace

trace::Code read_code(const compress::CallpathTable& callpaths,
                      const compress::FunctionOfPath& functions) {
  trace::Code out;
  std::map<std::uint64_t, ModuleCode> modules;
  callpaths.for_each_path([&](std::uint64_t, const std::vector<GlobalFrame>& frames) {
    for (const GlobalFrame& f : frames)
      modules.try_emplace(f.module, callpaths.module(f.module), out);
  });
  std::vector<std::vector<std::vector<GlobalFrame>>> paths;       // by call path, its copies
  std::map<std::uint64_t, std::vector<std::uint64_t>> addresses;  // by module
  callpaths.for_each_path([&](std::uint64_t hash, const std::vector<GlobalFrame>& frames) {
    const auto known = functions.find(hash);
    const std::string function = known == functions.end() ? std::string() : known->second;
    for (const auto& path : paths.emplace_back(with_tail_calls(frames, function, modules))) {
      for (const GlobalFrame& f : path) addresses[f.module].push_back(f.offset);
    }
  });
  for (auto& [module, of_module] : addresses) {
    std::ranges::sort(of_module);
    modules.at(module).read(of_module);
  }
  for (const auto& copies : paths) {
    std::vector<trace::CodePath>& places = out.paths.emplace_back();
    for (const auto& frames : copies) {
      trace::CodePath& path = places.emplace_back();
      for (const GlobalFrame& f : frames) path.push_back(modules.at(f.module).at(f.offset));
    }
  }
  return out;
}

}  // namespace reprise::code
