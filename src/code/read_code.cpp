#include "code/read_code.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "code/binary.hpp"
#include "code/flow.hpp"
#include "code/loop_nest.hpp"

namespace reprise::code {

using compress::GlobalFrame;
using trace::CodeFunction;
using trace::CodePoint;

namespace {

// The points of one module, by return address.
class ModuleCode {
 public:
  ModuleCode(const trace::Module& module, trace::Code& out)
      : binary_(Binary::open(module.path, module.build_id)), out_(out) {}

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
    if (!binary_ || address == 0) return false;
    const auto flow = read_flow(*binary_, address - 1);
    if (!flow) return false;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t b = 0; b < flow->blocks.size(); ++b) {
      if (std::ranges::binary_search(all, flow->blocks[b].end)) blocks.push_back(b);
    }
    const CodeFunction function = find_loop_nest(*flow, blocks);
    if (!function.is_known) return false;
    for (std::uint32_t i = 0; i < blocks.size(); ++i)
      points_[flow->blocks[blocks[i]].end] = {number_of_next(), i};
    out_.functions.push_back(function);
    return points_.contains(address);
  }

  void add_unknown(std::uint64_t address) {
    points_[address] = {number_of_next(), 0};
    out_.functions.push_back({false, {}, {CodeFunction::kNoLoop}, {}});
  }

  std::uint32_t number_of_next() const { return static_cast<std::uint32_t>(out_.functions.size()); }

  const std::optional<Binary> binary_;
  trace::Code& out_;
  std::map<std::uint64_t, CodePoint> points_;
};

}  // namespace

trace::Code read_code(const compress::CallpathTable& callpaths) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> addresses;  // by module
  callpaths.for_each_path([&](std::uint64_t, const std::vector<GlobalFrame>& frames) {
    for (const GlobalFrame& f : frames) addresses[f.module].push_back(f.offset);
  });
  trace::Code out;
  std::map<std::uint64_t, ModuleCode> modules;
  for (auto& [module, of_module] : addresses) {
    std::ranges::sort(of_module);
    modules.try_emplace(module, callpaths.module(module), out).first->second.read(of_module);
  }
  callpaths.for_each_path([&](std::uint64_t, const std::vector<GlobalFrame>& frames) {
    trace::CodePath& path = out.paths.emplace_back().emplace_back();
    for (auto f = frames.rbegin(); f != frames.rend(); ++f)
      path.push_back(modules.at(f->module).at(f->offset));
  });
  return out;
}

}  // namespace reprise::code
