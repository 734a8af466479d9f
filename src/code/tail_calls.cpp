#include "code/tail_calls.hpp"

#include <algorithm>
#include <utility>

#include "base/files.hpp"
#include "trace/file/rank_section.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::code {
namespace {

// In a row: what people write rarely has three.
constexpr std::size_t kMaxTailCalls = 4;
// Followed for one call: each may read a function, which takes some microseconds.
constexpr std::size_t kMaxJumps = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether a symbol is a function of MPI: MPI_Waitall in C; mpi_waitall_, with or without
// underscores, capitals or the suffix of the module mpi_f08, in Fortran.
bool is_name_of(std::string_view symbol, std::string_view function) {
  const auto trim = [&symbol] {
    while (symbol.ends_with('_')) symbol.remove_suffix(1);
  };
  trim();
  for (const std::string_view suffix : {"_f08ts", "_f08"}) {
    if (symbol.ends_with(suffix)) symbol.remove_suffix(suffix.size());
  }
  return std::ranges::equal(symbol, function, {}, lower, lower);
}

bool is_of_mpi(std::string_view symbol) {
  return std::ranges::equal(symbol.substr(0, 4), std::string_view("mpi_"), {}, lower);
}

}  // namespace

std::optional<TailCalls::Chain> TailCalls::Chains::only() const {
  if (!is_all || found.size() != 1) return std::nullopt;
  return found.front();
}

TailCalls::TailCalls(const trace::Module& module) : binary_(Binary::open(module)) {}

const Flow* TailCalls::flow_at(std::uint64_t end) {
  if (!binary_ || end == 0) return nullptr;
  const auto bounds = binary_->function_at(end - 1);
  if (!bounds) return nullptr;
  const auto [entry, is_new] = flows_.try_emplace(bounds->begin);
  if (is_new) entry->second = read_flow(*binary_, end - 1, ends_);
  return entry->second ? &*entry->second : nullptr;
}

TailCalls::Chains TailCalls::to_function(ReturnAddresses returns) {
  const Flow* inner = flow_at(returns.inner);
  if (!inner) return {};
  return chains(returns.outer, {.function = inner->parts.front().begin, .import = {}});
}

TailCalls::Chains TailCalls::to_mpi(std::uint64_t return_address, std::string_view function) {
  return chains(return_address, {.function = std::nullopt, .import = function});
}

TailCalls::Chains TailCalls::chains(std::uint64_t return_address, const Goal& goal) {
  const Flow* outer = flow_at(return_address);
  if (!outer) return {};
  const auto call = std::ranges::lower_bound(outer->calls, return_address, {}, &Transfer::end);
  const bool is_direct = call != outer->calls.end() && call->end == return_address;
  if (!is_direct) return {};
  Chains out;
  Chain chain;
  jumps_left_ = kMaxJumps;
  find_chains(call->target, goal, chain, out);
  if (out.found.size() > kMaxChains) out = {.found = {}, .is_all = false};
  return out;
}

void TailCalls::find_chains(std::uint64_t from, const Goal& goal, Chain& chain, Chains& out) {
  if (from == goal.function) {
    out.found.push_back(chain);
    return;
  }
  const Flow* flow = flow_at(from + 1);
  if (!flow || flow->parts.front().begin != from) {
    out.is_all = false;
    return;
  }
  find_departures(*flow, goal, chain, out);
  for (const Transfer& jump : flow->tail_calls) {
    if (out.found.size() > kMaxChains || jumps_left_ == 0 || chain.size() == kMaxTailCalls) {
      out.is_all = false;
      return;
    }
    --jumps_left_;
    chain.push_back(jump.end);
    find_chains(jump.target, goal, chain, out);
    chain.pop_back();
  }
}

// A function of another library may end with a call of MPI itself. It does not come back here, but
// for what is given its address.
void TailCalls::find_departures(const Flow& flow, const Goal& goal, const Chain& chain,
                                Chains& out) const {
  for (const Departure& d : flow.departures) {
    const std::string_view symbol = binary_->imported_by_slot(d.slot);
    if (symbol.empty()) out.is_all = false;
    if (symbol.empty() || goal.function) continue;
    if (!is_of_mpi(symbol)) out.is_all = false;
    if (!is_name_of(symbol, goal.import) || out.found.size() > kMaxChains) continue;
    out.found.push_back(chain);
    out.found.back().push_back(d.end);
  }
}

namespace {

using Path = std::vector<std::uint32_t>;

class Restorer {
 public:
  explicit Restorer(trace::Trace& trace)
      : trace_(trace),
        may_split_(!trace::rank_section(trace)),
        keeps_sites_alone_(trace.options.find("--callpaths site") != std::string::npos) {}

  void run() {
    std::optional<trace::Unfinished> unfinished = trace::unfinished_of(trace_);
    std::vector<trace::Call*> calls;
    for (trace::Call& c : trace_.calls) calls.push_back(&c);
    if (unfinished) {
      for (trace::UnfinishedCall& u : unfinished->calls) calls.push_back(&u.call);
    }
    std::vector<CallsByFunction> users(trace_.callpaths.size());
    for (trace::Call* c : calls) users[c->callpath][c->function].push_back(c);
    for (std::uint32_t path = 0; path < users.size(); ++path) restore(path, users[path]);
    if (unfinished) trace::set_unfinished(trace_, *unfinished);
  }

 private:
  using CallsByFunction = std::map<trace::FunctionId, std::vector<trace::Call*>>;

  void restore(std::uint32_t path, const CallsByFunction& users) {
    const Path recorded = trace_.callpaths[path];
    for (const auto& [function, calls] : users) {
      const Path restored = with_tail_calls(recorded, function);
      if (users.size() == 1) {
        trace_.callpaths[path] = restored;
      } else if (may_split_ && restored != recorded) {
        for (trace::Call* c : calls)
          c->callpath = static_cast<std::uint32_t>(trace_.callpaths.size());
        trace_.callpaths.push_back(restored);
        if (!trace_.code.paths.empty()) trace_.code.paths.push_back(trace_.code.paths[path]);
      }
    }
  }

  Path with_tail_calls(const Path& path, trace::FunctionId function) {
    Path out;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Path& jumps = i == 0 ? jumps_to_mpi(path[0], function) : jumps_to(path[i], path[i - 1]);
      out.insert(out.end(), jumps.begin(), jumps.end());
      out.push_back(path[i]);
    }
    if (keeps_sites_alone_ && out.size() > 1) out.resize(1);
    return out;
  }

  // Frames between the call of a frame and the function of MPI that was called, the innermost
  // first.
  const Path& jumps_to_mpi(std::uint32_t frame, trace::FunctionId function) {
    const auto [known, is_new] = to_mpi_.try_emplace({frame, function});
    if (is_new) {
      const trace::Frame f = trace_.frames[frame];
      known->second =
          frames_of(f, module_of(f).to_mpi(f.offset, trace::function(function).name).only());
    }
    return known->second;
  }

  // Those between the call of a frame and the frame beneath.
  const Path& jumps_to(std::uint32_t frame, std::uint32_t inner) {
    const auto [known, is_new] = to_frame_.try_emplace({frame, inner});
    const trace::Frame f = trace_.frames[frame], g = trace_.frames[inner];
    if (is_new && f.module == g.module)
      known->second =
          frames_of(f, module_of(f).to_function({.outer = f.offset, .inner = g.offset}).only());
    return known->second;
  }

  Path frames_of(const trace::Frame& caller, const std::optional<TailCalls::Chain>& chain) {
    Path out;
    for (std::size_t k = chain ? chain->size() : 0; k-- > 0;) {
      const auto [entry, is_new] = added_.emplace(std::pair(caller.module, (*chain)[k]),
                                                  static_cast<std::uint32_t>(trace_.frames.size()));
      if (is_new) trace_.frames.push_back({.module = caller.module, .offset = (*chain)[k]});
      out.push_back(entry->second);
    }
    return out;
  }

  TailCalls& module_of(const trace::Frame& f) {
    const auto known = modules_.find(f.module);
    if (known != modules_.end()) return known->second;
    const trace::Module& recorded = trace_.modules[f.module];
    // Without a build id, a file is another one if it was written after the program had begun.
    const bool is_changed =
        recorded.build_id.empty() && has_changed_since(recorded.path, trace_.date);
    return modules_.try_emplace(f.module, is_changed ? trace::Module() : recorded).first->second;
  }

  trace::Trace& trace_;
  const bool may_split_, keeps_sites_alone_;
  std::map<std::uint32_t, TailCalls> modules_;
  std::map<std::pair<std::uint32_t, trace::FunctionId>, Path> to_mpi_;  // by frame
  std::map<std::pair<std::uint32_t, std::uint32_t>, Path> to_frame_;  // by frames, outer and inner
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> added_;
};

}  // namespace

std::size_t restore_tail_calls(trace::Trace& trace) {
  const std::size_t first = trace.frames.size();
  if (!trace.symbolized) Restorer(trace).run();
  return first;
}

}  // namespace reprise::code
