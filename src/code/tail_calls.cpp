#include "code/tail_calls.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/files.hpp"
#include "trace/unfinished.hpp"

namespace reprise::code {
namespace {

constexpr std::size_t kMaxTailCalls = 4;  // in a row
constexpr std::size_t kMaxJumps = 256;    // examined for one call

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether a symbol is a function of MPI: MPI_Waitall in C; mpi_waitall_, with or without
// underscores, capitals or the suffix of the module mpi_f08, in Fortran.
bool is_name_of(std::string_view symbol, std::string_view function) {
  const auto trim = [&symbol] {
    while (symbol.ends_with('_')) symbol.remove_suffix(1);
  };
  trim();
  if (symbol.ends_with("_f08")) symbol.remove_suffix(4);
  trim();
  return std::ranges::equal(symbol, function, {}, lower, lower);
}

}  // namespace

TailCalls::TailCalls(const trace::Module& module)
    : binary_(Binary::open(module.path, module.build_id)) {}

const Flow* TailCalls::flow_at(std::uint64_t end) {
  if (!binary_ || end == 0) return nullptr;
  const auto bounds = binary_->function_at(end - 1);
  if (!bounds) return nullptr;
  const auto [entry, is_new] = flows_.try_emplace(bounds->begin);
  if (is_new) entry->second = read_flow(*binary_, end - 1);
  return entry->second ? &*entry->second : nullptr;
}

std::vector<TailCalls::Chain> TailCalls::to_function(std::uint64_t return_address,
                                                     std::uint64_t inner_return_address) {
  const Flow* inner = flow_at(inner_return_address);
  if (!inner) return {};
  return chains(return_address, {.function = inner->parts.front().begin, .import = {}});
}

std::vector<TailCalls::Chain> TailCalls::to_mpi(std::uint64_t return_address,
                                                std::string_view function) {
  return chains(return_address, {.function = 0, .import = function});
}

std::vector<TailCalls::Chain> TailCalls::chains(std::uint64_t return_address, const Goal& goal) {
  const Flow* outer = flow_at(return_address);
  if (!outer) return {};
  const auto call = std::ranges::lower_bound(outer->calls, return_address, {}, &Transfer::end);
  const bool is_direct = call != outer->calls.end() && call->end == return_address;
  if (!is_direct) return {};
  std::vector<Chain> out;
  Chain chain;
  jumps_left_ = kMaxJumps;
  find_chains(call->target, goal, chain, out);
  if (out.size() > kMaxChains) out.clear();
  return out;
}

// Cost: at most kMaxJumps functions are read.
void TailCalls::find_chains(std::uint64_t from, const Goal& goal, Chain& chain,
                            std::vector<Chain>& out) {
  if (from == goal.function) {
    out.push_back(chain);
    return;
  }
  const Flow* flow = chain.size() < kMaxTailCalls ? flow_at(from + 1) : nullptr;
  if (!flow || flow->parts.front().begin != from) return;
  for (const Departure& d : flow->departures) {
    if (goal.import.empty() || !is_name_of(binary_->imported_by_slot(d.slot), goal.import))
      continue;
    out.push_back(chain);
    out.back().push_back(d.end);
  }
  for (const Transfer& jump : flow->tail_calls) {
    if (out.size() > kMaxChains || jumps_left_ == 0) return;
    --jumps_left_;
    chain.push_back(jump.end);
    find_chains(jump.target, goal, chain, out);
    chain.pop_back();
  }
}

namespace {

class Restorer {
 public:
  explicit Restorer(trace::Trace& trace) : trace_(trace) {}

  void run() {
    std::optional<trace::Unfinished> unfinished = trace::unfinished_of(trace_);
    std::vector<trace::Call*> calls;
    for (trace::Call& c : trace_.calls) calls.push_back(&c);
    if (unfinished) {
      for (trace::UnfinishedCall& u : unfinished->calls) calls.push_back(&u.call);
    }
    std::vector<std::map<trace::FunctionId, std::vector<trace::Call*>>> users(
        trace_.callpaths.size());
    for (trace::Call* c : calls) users[c->callpath][c->function].push_back(c);
    for (std::uint32_t path = 0; path < users.size(); ++path) restore(path, users[path]);
    if (unfinished) trace::set_unfinished(trace_, *unfinished);
  }

 private:
  void restore(std::uint32_t path,
               const std::map<trace::FunctionId, std::vector<trace::Call*>>& users) {
    const std::vector<std::uint32_t> recorded = trace_.callpaths[path];
    for (const auto& [function, calls] : users) {
      const std::vector<std::uint32_t> restored = with_tail_calls(recorded, function);
      if (users.size() == 1) {
        trace_.callpaths[path] = restored;
      } else if (restored != recorded) {
        for (trace::Call* c : calls)
          c->callpath = static_cast<std::uint32_t>(trace_.callpaths.size());
        trace_.callpaths.push_back(restored);
        if (!trace_.code.paths.empty()) trace_.code.paths.push_back(trace_.code.paths[path]);
      }
    }
  }

  std::vector<std::uint32_t> with_tail_calls(const std::vector<std::uint32_t>& path,
                                             trace::FunctionId function) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const trace::Frame f = trace_.frames[path[i]];
      TailCalls& module = module_of(f);
      std::vector<TailCalls::Chain> chains;
      if (i == 0) {
        chains = module.to_mpi(f.offset, trace::function(function).name);
      } else if (const trace::Frame& inner = trace_.frames[path[i - 1]]; inner.module == f.module) {
        chains = module.to_function(f.offset, inner.offset);
      }
      if (chains.size() == 1) {
        for (std::size_t k = chains[0].size(); k-- > 0;) out.push_back(add(f.module, chains[0][k]));
      }
      out.push_back(path[i]);
    }
    return out;
  }

  TailCalls& module_of(const trace::Frame& f) {
    const trace::Module& recorded = trace_.modules[f.module];
    // Without a build id, a file is another one if it was written after the program had begun.
    const bool is_changed = recorded.build_id.empty() && is_newer(recorded.path, trace_.date);
    return modules_.try_emplace(f.module, is_changed ? trace::Module() : recorded).first->second;
  }

  std::uint32_t add(std::uint32_t module, std::uint64_t offset) {
    const auto [entry, is_new] =
        added_.emplace(std::pair(module, offset), static_cast<std::uint32_t>(trace_.frames.size()));
    if (is_new) trace_.frames.push_back({.module = module, .offset = offset});
    return entry->second;
  }

  trace::Trace& trace_;
  std::map<std::uint32_t, TailCalls> modules_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> added_;
};

}  // namespace

void restore_tail_calls(trace::Trace& trace) {
  if (!trace.symbolised) Restorer(trace).run();
}

}  // namespace reprise::code
