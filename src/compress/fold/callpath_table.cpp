#include "compress/fold/callpath_table.hpp"

#include <algorithm>
#include <string_view>

#include "base/hash.hpp"

namespace reprise::compress {

std::uint64_t CallpathTable::add_module(const trace::Module& module) {
  // The same program may lie under different paths (SMPI runs copies of it): its build id is it.
  const std::string& identity = module.build_id.empty() ? module.path : module.build_id;
  const std::uint64_t hash = hash_text(identity);
  modules_.emplace(hash, module);
  return hash;
}

std::uint64_t CallpathTable::add_path(std::vector<GlobalFrame> frames) {
  std::uint64_t hash = frames.size();
  for (const GlobalFrame& f : frames) hash = combine(combine(hash, f.module), f.offset);
  paths_.emplace(hash, std::move(frames));
  return hash;
}

void CallpathTable::merge(const CallpathTable& other) {
  modules_.insert(other.modules_.begin(), other.modules_.end());
  paths_.insert(other.paths_.begin(), other.paths_.end());
}

CallpathTable CallpathTable::only(std::uint64_t path) const {
  CallpathTable out;
  const std::vector<GlobalFrame>& frames = paths_.at(path);
  for (const GlobalFrame& f : frames) out.modules_.emplace(f.module, modules_.at(f.module));
  out.paths_.emplace(path, frames);
  return out;
}

namespace {

std::span<const GlobalFrame> kept_of(std::span<const GlobalFrame> path, CallpathMode mode) {
  switch (mode) {
    case CallpathMode::full: return path;
    case CallpathMode::site: return path.first(std::min<std::size_t>(1, path.size()));
    case CallpathMode::none: break;
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> CallpathTable::write(std::span<const std::uint64_t> paths,
                                                CallpathMode mode, trace::Trace& out) const {
  std::map<std::uint64_t, std::uint32_t> module_of, index_of;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> frame_of;
  std::vector<std::uint32_t> indices;
  for (const std::uint64_t hash : paths) {
    const auto [entry, is_new] =
        index_of.emplace(hash, static_cast<std::uint32_t>(out.callpaths.size()));
    indices.push_back(entry->second);
    if (!is_new) continue;
    std::vector<std::uint32_t>& frames = out.callpaths.emplace_back();
    for (const GlobalFrame& f : kept_of(paths_.at(hash), mode)) {
      const auto [module, new_module] =
          module_of.emplace(f.module, static_cast<std::uint32_t>(out.modules.size()));
      if (new_module) out.modules.push_back(modules_.at(f.module));
      const auto [frame, new_frame] = frame_of.emplace(
          std::pair(module->second, f.offset), static_cast<std::uint32_t>(out.frames.size()));
      if (new_frame) out.frames.push_back({.module = module->second, .offset = f.offset});
      frames.push_back(frame->second);
    }
  }
  return indices;
}

void CallpathTable::encode(ByteWriter& out) const {
  std::map<std::uint64_t, std::uint64_t> number;
  out.varint(modules_.size());
  for (const auto& [hash, module] : modules_) {
    number.emplace(hash, number.size());
    out.text(module.path);
    out.text(module.build_id);
  }
  out.varint(paths_.size());
  for (const auto& [hash, frames] : paths_) {
    out.varint(frames.size());
    for (const GlobalFrame& f : frames) {
      out.varint(number[f.module]);
      out.varint(f.offset);
    }
  }
}

CallpathTable CallpathTable::decode(ByteReader& in) {
  CallpathTable table;
  std::vector<std::uint64_t> modules(in.count(2));
  for (std::uint64_t& m : modules) {
    trace::Module module;
    module.path = in.text();
    module.build_id = in.text();
    m = table.add_module(module);
  }
  for (std::size_t n = in.count(); n > 0 && !in.failed(); --n) {
    std::vector<GlobalFrame> frames(in.count(2));
    for (GlobalFrame& f : frames) {
      const std::uint64_t module = in.varint();
      if (module >= modules.size()) return in.fail("a module that is not there"), table;
      f.module = modules[module];
      f.offset = in.varint();
    }
    table.add_path(std::move(frames));
  }
  return table;
}

}  // namespace reprise::compress
