#include "code/counted_loops.hpp"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace reprise::code {
namespace {

constexpr std::uint64_t kMostTrips = std::uint64_t{1} << 20;
constexpr std::size_t kMostBlocks = std::size_t{1} << 12;  // in search of what set a number
constexpr int kMaxMoves = 4;                               // from register to register
// For one function: instructions decoded, blocks visited, and sixteen iterations counted are one.
constexpr std::size_t kMostWork = std::size_t{1} << 22;
constexpr std::uint64_t kLongestBlock = std::uint64_t{1} << 16;  // [bytes]

// Where a number is kept: in a register, or at a distance from the stack or frame pointer.
struct Keeper {
  ZydisRegister base = ZYDIS_REGISTER_NONE;
  bool is_memory = false;
  std::int64_t distance = 0;
  std::int64_t size = 0;  // in memory [bytes]

  bool operator==(const Keeper&) const = default;
};

// A constant, or an address: that in a register (of variables: RIP at 0), and a distance.
struct Number {
  ZydisRegister base = ZYDIS_REGISTER_NONE;
  std::int64_t value = 0;

  bool operator==(const Number&) const = default;
};

// An instruction.
struct Operation {
  ZydisDecodedInstruction head;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  std::uint64_t end = 0;

  std::span<const ZydisDecodedOperand> all() const { return {operands, head.operand_count}; }
  bool is_call() const { return head.meta.category == ZYDIS_CATEGORY_CALL; }
};

ZydisRegister whole(ZydisRegister r) {
  return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
}

bool is_of_frame(ZydisRegister r) { return r == ZYDIS_REGISTER_RSP || r == ZYDIS_REGISTER_RBP; }

// Whether a register has the same value behind a call (System V ABI).
bool survives_calls(ZydisRegister r) {
  switch (r) {
    case ZYDIS_REGISTER_RBX:
    case ZYDIS_REGISTER_RBP:
    case ZYDIS_REGISTER_RSP:
    case ZYDIS_REGISTER_R12:
    case ZYDIS_REGISTER_R13:
    case ZYDIS_REGISTER_R14:
    case ZYDIS_REGISTER_R15: return true;
    default: return false;
  }
}

std::optional<Keeper> keeper_of(const ZydisDecodedOperand& o) {
  if (o.type == ZYDIS_OPERAND_TYPE_REGISTER) return Keeper{whole(o.reg.value), false, 0};
  const bool is_in_frame = o.type == ZYDIS_OPERAND_TYPE_MEMORY && is_of_frame(o.mem.base) &&
                           o.mem.index == ZYDIS_REGISTER_NONE;
  if (!is_in_frame) return std::nullopt;
  return Keeper{o.mem.base, true, o.mem.disp.has_displacement ? o.mem.disp.value : 0, o.size / 8};
}

// Whether they share a register, or bytes of memory.
bool overlap(const Keeper& a, const Keeper& b) {
  if (a.base != b.base || a.is_memory != b.is_memory) return false;
  return !a.is_memory || (a.distance < b.distance + b.size && b.distance < a.distance + a.size);
}

std::optional<std::int64_t> constant_of(const ZydisDecodedOperand& o) {
  if (o.type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return std::nullopt;
  return o.imm.value.s;
}

// The lowest bits of a number, as a signed number.
std::int64_t narrowed(std::int64_t number, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << unused) >> unused;
}

bool writes(const Operation& in, const Keeper& keeper) {
  if (in.is_call()) return !keeper.is_memory && !survives_calls(keeper.base);
  return std::ranges::any_of(in.all(), [&](const ZydisDecodedOperand& o) {
    const auto to = keeper_of(o);
    return (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 && to && overlap(*to, keeper);
  });
}

// By how much an instruction increases a number.
std::optional<std::int64_t> step_of(const Operation& in, const Keeper& keeper) {
  const auto& [to, from] = std::tie(in.operands[0], in.operands[1]);
  if (keeper_of(to) != keeper) return std::nullopt;
  switch (in.head.mnemonic) {
    case ZYDIS_MNEMONIC_INC: return 1;
    case ZYDIS_MNEMONIC_DEC: return -1;
    case ZYDIS_MNEMONIC_ADD: return constant_of(from);
    case ZYDIS_MNEMONIC_SUB: {
      const auto c = constant_of(from);
      return c && *c != std::numeric_limits<std::int64_t>::min() ? std::optional(-*c)
                                                                 : std::nullopt;
    }
    case ZYDIS_MNEMONIC_LEA: {
      const bool is_itself = whole(from.mem.base) == keeper.base && !keeper.is_memory &&
                             from.mem.index == ZYDIS_REGISTER_NONE;
      if (!is_itself) return std::nullopt;
      return from.mem.disp.value;
    }
    default: return std::nullopt;
  }
}

bool sets_flags(const Operation& in) {
  const ZydisAccessedFlags* flags = in.head.cpu_flags;
  constexpr ZydisAccessedFlagsMask kTested =
      ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_OF;
  return flags &&
         ((flags->modified | flags->set_0 | flags->set_1 | flags->undefined) & kTested) != 0;
}

// Whether a branch is taken behind a comparison of two numbers; nothing: it tests something else.
std::optional<bool> is_taken(ZydisMnemonic branch, std::int64_t a, std::int64_t b) {
  const auto unsigned_a = static_cast<std::uint64_t>(a), unsigned_b = static_cast<std::uint64_t>(b);
  switch (branch) {
    case ZYDIS_MNEMONIC_JZ: return a == b;
    case ZYDIS_MNEMONIC_JNZ: return a != b;
    case ZYDIS_MNEMONIC_JL: return a < b;
    case ZYDIS_MNEMONIC_JNL: return a >= b;
    case ZYDIS_MNEMONIC_JLE: return a <= b;
    case ZYDIS_MNEMONIC_JNLE: return a > b;
    case ZYDIS_MNEMONIC_JB: return unsigned_a < unsigned_b;
    case ZYDIS_MNEMONIC_JNB: return unsigned_a >= unsigned_b;
    case ZYDIS_MNEMONIC_JBE: return unsigned_a <= unsigned_b;
    case ZYDIS_MNEMONIC_JNBE: return unsigned_a > unsigned_b;
    default: return std::nullopt;
  }
}

// The branch that is taken where an instruction sets its result to 1.
std::optional<ZydisMnemonic> branch_like(ZydisMnemonic set) {
  switch (set) {
    case ZYDIS_MNEMONIC_SETZ: return ZYDIS_MNEMONIC_JZ;
    case ZYDIS_MNEMONIC_SETNZ: return ZYDIS_MNEMONIC_JNZ;
    case ZYDIS_MNEMONIC_SETL: return ZYDIS_MNEMONIC_JL;
    case ZYDIS_MNEMONIC_SETNL: return ZYDIS_MNEMONIC_JNL;
    case ZYDIS_MNEMONIC_SETLE: return ZYDIS_MNEMONIC_JLE;
    case ZYDIS_MNEMONIC_SETNLE: return ZYDIS_MNEMONIC_JNLE;
    case ZYDIS_MNEMONIC_SETB: return ZYDIS_MNEMONIC_JB;
    case ZYDIS_MNEMONIC_SETNB: return ZYDIS_MNEMONIC_JNB;
    case ZYDIS_MNEMONIC_SETBE: return ZYDIS_MNEMONIC_JBE;
    case ZYDIS_MNEMONIC_SETNBE: return ZYDIS_MNEMONIC_JNBE;
    default: return std::nullopt;
  }
}

using Blocks = std::vector<std::uint32_t>;

// The blocks of a function, in both directions, and its instructions.
class BlockGraph {
 public:
  BlockGraph(const Binary& binary, const Flow& flow)
      : binary_(binary), flow_(flow), predecessors_(flow.blocks.size()) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (std::uint32_t b = 0; b < flow.blocks.size(); ++b) {
      successors_.push_back(flow.blocks[b].successors);
      for (const std::uint32_t t : flow.blocks[b].successors) predecessors_[t].push_back(b);
    }
    const Blocks ends = read_blocks();
    goes_on_ = reach(ends, predecessors_, [](std::uint32_t) { return true; });
    for (const std::uint32_t b : ends) goes_on_[b] = true;
  }

  const Flow& flow() const { return flow_; }
  const std::vector<Blocks>& successors() const { return successors_; }
  const std::vector<Blocks>& predecessors() const { return predecessors_; }
  // Whether the function may return, or leave for another one, from a block on.
  bool goes_on(std::uint32_t block) const { return goes_on_[block]; }
  // Whether RBP is the frame pointer: nothing but the stack pointer is ever copied into it.
  bool has_frame_pointer() const { return has_frame_pointer_; }
  // Whether RSP changes only where the function begins and where it is left: not where arguments of
  // calls are pushed.
  bool has_fixed_stack() const { return has_fixed_stack_; }

  void spend(std::size_t work) const { work_ += work; }
  bool is_exhausted() const { return work_ > kMostWork; }

  // Empty if one cannot be decoded.
  std::vector<Operation> instructions(std::uint32_t block) const {
    std::vector<Operation> out;
    const Block& b = flow_.blocks[block];
    for (std::uint64_t at = b.begin; at < b.end;) {
      const auto bytes = binary_.bytes({at, b.end - at});
      Operation& in = out.emplace_back();
      if (!ZYAN_SUCCESS(
              ZydisDecoderDecodeFull(&decoder_, bytes.data(), bytes.size(), &in.head, in.operands)))
        return {};
      at += in.head.length;
      in.end = at;
    }
    spend(out.size());
    return out;
  }

  // What edges lead to from some blocks, by one or more of them, as far as `follows` lets.
  template <class Follows>
  std::vector<bool> reach(Blocks from, const std::vector<Blocks>& edges, Follows follows) const {
    std::vector<bool> seen(flow_.blocks.size(), false);
    spend(seen.size() / 64);
    while (!from.empty()) {
      const std::uint32_t b = from.back();
      from.pop_back();
      spend(1);
      for (const std::uint32_t t : edges[b]) {
        if (seen[t] || !follows(t)) continue;
        seen[t] = true;
        from.push_back(t);
      }
    }
    return seen;
  }

 private:
  // Returns the blocks that leave the function.
  Blocks read_blocks() {
    Blocks out;
    bool is_copied = false, is_other = false;
    for (std::uint32_t b = 0; b < flow_.blocks.size(); ++b) {
      const bool is_long = flow_.blocks[b].end - flow_.blocks[b].begin > kLongestBlock;
      if (is_long) spend(kMostWork + 1);
      if (flow_.blocks[b].leaves) out.push_back(b);
      if (is_exhausted()) continue;
      const auto all = instructions(b);
      const bool is_edge = b == flow_.entry || flow_.blocks[b].leaves;
      for (const Operation& in : all) {
        if (!is_edge && !in.is_call() && writes(in, {ZYDIS_REGISTER_RSP, false, 0}))
          has_fixed_stack_ = false;
        if (in.is_call() || !writes(in, {ZYDIS_REGISTER_RBP, false, 0})) continue;
        const ZydisDecodedOperand& from = in.operands[1];
        const bool is_copy = in.head.mnemonic == ZYDIS_MNEMONIC_MOV &&
                             from.type == ZYDIS_OPERAND_TYPE_REGISTER &&
                             from.reg.value == ZYDIS_REGISTER_RSP;
        const bool is_restored =
            in.head.mnemonic == ZYDIS_MNEMONIC_POP || in.head.mnemonic == ZYDIS_MNEMONIC_LEAVE;
        is_copied = is_copied || is_copy;
        is_other = is_other || (!is_copy && !is_restored);
      }
    }
    has_frame_pointer_ = is_copied && !is_other;
    return out;
  }

  const Binary& binary_;
  const Flow& flow_;
  ZydisDecoder decoder_{};
  std::vector<Blocks> successors_, predecessors_;
  std::vector<bool> goes_on_;
  bool has_frame_pointer_ = false, has_fixed_stack_ = true;
  mutable std::size_t work_ = 0;
};

class CountedLoop {
 public:
  CountedLoop(const BlockGraph& graph, const LoopBlocks& loop)
      : graph_(graph), loop_(loop), head_(loop.heads.front()) {}

  std::uint64_t trips() {
    if (graph_.is_exhausted()) return 0;
    const auto exit = only_exit();
    if (!exit || !is_once_in_iteration(*exit) || !find_test(*exit) || !find_step()) return 0;
    const auto first = value_before(counter_);
    if (!first) return 0;
    const auto last = limit_ ? value_before(*limit_) : std::optional(Number{first->base, bound_});
    if (!last || last->base != first->base) return 0;
    std::int64_t from = narrowed(first->value, width_), to = narrowed(last->value, width_);
    if (first->base != ZYDIS_REGISTER_NONE) {
      // Addresses of one object compare as their distances do, if these are positive.
      constexpr std::int64_t kFarUp = std::int64_t{1} << 40;
      if (!limit_ || width_ != 64 || __builtin_add_overflow(from, kFarUp, &from) ||
          __builtin_add_overflow(to, kFarUp, &to))
        return 0;
    }
    const auto passes = count_passes(*exit, from, to);
    if (!passes) return 0;
    return calls_per_pass(*exit, *passes);
  }

 private:
  bool is_inside(std::uint32_t block) const {
    return std::ranges::binary_search(loop_.body, block);
  }

  // What follows a block in the same iteration.
  std::vector<bool> later_in_iteration(std::uint32_t block) const {
    return graph_.reach({block}, graph_.successors(),
                        [&](std::uint32_t t) { return is_inside(t) && t != head_; });
  }

  // Whether each iteration executes a block once: it is neither in a loop within, nor on one of
  // several paths.
  bool is_once_in_iteration(std::uint32_t block) const {
    if (later_in_iteration(block)[block]) return false;
    if (block == head_) return true;
    const auto without = graph_.reach({head_}, graph_.successors(),
                                      [&](std::uint32_t t) { return is_inside(t) && t != block; });
    return !without[head_];
  }

  // The block that ends the loop, if there is one alone from which the function goes on.
  std::optional<std::uint32_t> only_exit() const {
    std::optional<std::uint32_t> out;
    for (const std::uint32_t b : loop_.body) {
      if (graph_.flow().blocks[b].leaves) return std::nullopt;
      for (const std::uint32_t t : graph_.flow().blocks[b].successors) {
        if (is_inside(t) || !graph_.goes_on(t)) continue;
        if (out) return std::nullopt;
        out = b;
      }
    }
    return out;
  }

  // The comparison before the branch at the end of a block: of what with what.
  bool find_test(std::uint32_t block) {
    const auto all = graph_.instructions(block);
    if (all.size() < 2 || all.back().head.meta.category != ZYDIS_CATEGORY_COND_BR) return false;
    branch_ = all.back().head.mnemonic;
    const std::uint64_t target =
        all.back().end + static_cast<std::uint64_t>(all.back().operands[0].imm.value.s);
    const auto taken =
        std::ranges::find(graph_.flow().blocks[block].successors, target,
                          [&](std::uint32_t t) { return graph_.flow().blocks[t].begin; });
    if (taken == graph_.flow().blocks[block].successors.end()) return false;
    stays_if_taken_ = is_inside(*taken);
    for (std::size_t i = all.size() - 1 - set_before_branch(all); i-- > 0;) {
      if (all[i].is_call()) return false;
      if (!sets_flags(all[i])) continue;
      if (!read_test(all[i])) return false;
      test_ = all[i].end;
      // Nothing changes it between the test and the branch.
      return std::none_of(
          all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
          [&](const Operation& in) { return writes(in, counter_) && !step_of(in, counter_); });
    }
    return false;
  }

  // Compilers that do not optimize keep what they compare in a register, and test that: `setle a;
  // test a, a; jne`. Then the branch is the one on the comparison. Returns how many instructions
  // before the branch do so.
  std::size_t set_before_branch(const std::vector<Operation>& all) {
    const bool is_of_zero = branch_ == ZYDIS_MNEMONIC_JZ || branch_ == ZYDIS_MNEMONIC_JNZ;
    if (all.size() < 3 || !is_of_zero) return 0;
    const Operation &test = all[all.size() - 2], &set = all[all.size() - 3];
    const auto branch = branch_like(set.head.mnemonic);
    const auto result = keeper_of(set.operands[0]);
    const bool tests_it = test.head.mnemonic == ZYDIS_MNEMONIC_TEST && result &&
                          keeper_of(test.operands[0]) == result &&
                          keeper_of(test.operands[1]) == result;
    if (!branch || !tests_it) return 0;
    if (branch_ == ZYDIS_MNEMONIC_JZ) stays_if_taken_ = !stays_if_taken_;
    branch_ = *branch;
    return 2;
  }

  bool read_test(const Operation& in) {
    const ZydisDecodedOperand &a = in.operands[0], &b = in.operands[1];
    const auto counter = keeper_of(a);
    const bool is_part = a.type == ZYDIS_OPERAND_TYPE_REGISTER && a.size < 32;
    if (!counter || is_part) return false;
    counter_ = *counter;
    width_ = a.size;
    switch (in.head.mnemonic) {
      case ZYDIS_MNEMONIC_CMP: {
        if (const auto c = constant_of(b)) {
          bound_ = *c;
          return true;
        }
        limit_ = keeper_of(b);
        if (!limit_) return false;
        // What is counted is what changes.
        if (!changes(counter_)) std::swap(counter_, *limit_), is_swapped_ = true;
        return !changes(*limit_);
      }
      case ZYDIS_MNEMONIC_TEST: return keeper_of(b) == counter;
      case ZYDIS_MNEMONIC_ADD:
      case ZYDIS_MNEMONIC_SUB:
      case ZYDIS_MNEMONIC_INC:
      case ZYDIS_MNEMONIC_DEC:
        // Flags of the sum: they compare it with 0, as long as they do not carry.
        return step_of(in, counter_).has_value() && branch_ != ZYDIS_MNEMONIC_JB &&
               branch_ != ZYDIS_MNEMONIC_JNB && branch_ != ZYDIS_MNEMONIC_JBE &&
               branch_ != ZYDIS_MNEMONIC_JNBE;
      default: return false;
    }
  }

  bool changes(const Keeper& keeper) const {
    return std::ranges::any_of(loop_.body, [&](std::uint32_t b) {
      return std::ranges::any_of(graph_.instructions(b),
                                 [&](const Operation& in) { return writes(in, keeper); });
    });
  }

  // The only instruction that changes the counter, which each iteration executes once.
  bool find_step() {
    std::optional<std::uint32_t> block;
    for (const std::uint32_t b : loop_.body) {
      for (const Operation& in : graph_.instructions(b)) {
        if (!writes(in, counter_)) continue;
        const auto step = step_of(in, counter_);
        if (block || !step || *step == 0 || in.operands[0].size < width_) return false;
        block = b;
        step_ = narrowed(*step, width_);
        step_at_ = in.end;
      }
    }
    if (!block) return false;
    step_block_ = *block;
    return is_once_in_iteration(*block);
  }

  // How often the test lets the loop go on.
  std::optional<std::uint64_t> count_passes(std::uint32_t exit, std::int64_t first,
                                            std::int64_t last) const {
    const bool is_stepped =
        exit == step_block_ ? step_at_ <= test_ : !later_in_iteration(exit)[step_block_];
    std::int64_t now = first;
    for (std::uint64_t passes = 0; passes <= kMostTrips; ++passes) {
      if (passes % 16 == 15) graph_.spend(1);
      if (passes > 0 || is_stepped) {
        const bool wraps = __builtin_add_overflow(now, step_, &now) || narrowed(now, width_) != now;
        if (wraps) return std::nullopt;
      }
      const auto taken = is_swapped_ ? is_taken(branch_, last, now) : is_taken(branch_, now, last);
      if (!taken) return std::nullopt;
      if (*taken != stays_if_taken_) return passes;
    }
    return std::nullopt;
  }

  // How often each call is made: once more than the test passes, if they are before it.
  std::uint64_t calls_per_pass(std::uint32_t exit, std::uint64_t passes) const {
    const auto behind = later_in_iteration(exit);
    std::vector<bool> before(graph_.flow().blocks.size(), false);
    if (exit != head_) {
      before = graph_.reach({head_}, graph_.successors(), [&](std::uint32_t t) {
        return is_inside(t) && t != head_ && t != exit;
      });
      before[head_] = true;
    }
    bool is_any_behind = false, is_any_before = false;
    for (const std::uint32_t b : loop_.points) {
      is_any_behind = is_any_behind || behind[b];
      is_any_before = is_any_before || before[b];
    }
    if (is_any_behind == is_any_before) return 0;
    return is_any_behind ? passes : passes + 1;
  }

  // What a keeper has when the loop is entered.
  std::optional<Number> value_before(const Keeper& keeper) const {
    return value_at(keeper, {head_, 0}, kMaxMoves, true);
  }

  struct Place {
    std::uint32_t block;
    std::size_t instruction;
  };

  // Whether a register has one value in the whole body of the function.
  bool is_fixed(ZydisRegister r) const {
    return (r == ZYDIS_REGISTER_RSP && graph_.has_fixed_stack()) ||
           (r == ZYDIS_REGISTER_RBP && graph_.has_frame_pointer());
  }

  // What a keeper has before an instruction; of those that lead there, all have to agree.
  // `enters`: the instruction is the first of the loop, which is entered from elsewhere.
  std::optional<Number> value_at(const Keeper& keeper, Place at, int moves, bool enters) const {
    if (!keeper.is_memory && is_fixed(keeper.base)) return Number{keeper.base, 0};
    if (keeper.is_memory && !is_fixed(keeper.base)) return std::nullopt;
    std::optional<Number> out;
    std::set<std::uint32_t> seen;
    Blocks open;
    const auto add = [&](const Number& n) {
      if (out && *out != n) return false;
      out = n;
      return true;
    };
    // False: it is not known.
    const auto search = [&](std::uint32_t block, std::size_t end, bool is_entry) {
      if (graph_.is_exhausted()) return false;
      const auto all = graph_.instructions(block);
      for (std::size_t i = std::min(end, all.size()); i-- > 0;) {
        if (!writes(all[i], keeper)) continue;
        const auto n = set_to(keeper, all[i], {block, i}, moves);
        return n && add(*n);
      }
      if (block == graph_.flow().entry) return false;
      for (const std::uint32_t p : graph_.predecessors()[block]) {
        if (is_entry && is_inside(p)) continue;
        if (seen.insert(p).second) open.push_back(p);
      }
      return seen.size() <= kMostBlocks;
    };
    if (!search(at.block, at.instruction, enters)) return std::nullopt;
    while (!open.empty()) {
      const std::uint32_t b = open.back();
      open.pop_back();
      if (!search(b, SIZE_MAX, false)) return std::nullopt;
    }
    return out;
  }

  // What an instruction sets a keeper to.
  std::optional<Number> set_to(const Keeper& keeper, const Operation& in, Place at,
                               int moves) const {
    const ZydisDecodedOperand& to = in.operands[0];
    const bool is_part = to.type == ZYDIS_OPERAND_TYPE_REGISTER && to.size < 32;
    if (in.is_call() || keeper_of(to) != keeper || is_part || moves == 0) return std::nullopt;
    auto n = source_of(keeper, in, at, moves);
    if (!n || to.size >= 64) return n;
    // The rest of a register becomes 0.
    if (n->base != ZYDIS_REGISTER_NONE) return std::nullopt;
    n->value &= (std::int64_t{1} << to.size) - 1;
    return n;
  }

  // What an instruction sets a keeper to, before the bits that the keeper has no room for are lost.
  std::optional<Number> source_of(const Keeper& keeper, const Operation& in, Place at,
                                  int moves) const {
    const ZydisDecodedOperand& from = in.operands[1];
    switch (in.head.mnemonic) {
      case ZYDIS_MNEMONIC_MOV: {
        if (const auto c = constant_of(from)) return Number{ZYDIS_REGISTER_NONE, *c};
        const auto source = keeper_of(from);
        return source ? value_at(*source, at, moves - 1, false) : std::nullopt;
      }
      case ZYDIS_MNEMONIC_XOR:
        return keeper_of(from) == keeper ? std::optional(Number{}) : std::nullopt;
      case ZYDIS_MNEMONIC_LEA: {
        if (from.mem.index != ZYDIS_REGISTER_NONE) return std::nullopt;
        if (from.mem.base == ZYDIS_REGISTER_RIP) {
          const std::uint64_t address = in.end + static_cast<std::uint64_t>(from.mem.disp.value);
          return Number{ZYDIS_REGISTER_RIP, static_cast<std::int64_t>(address)};
        }
        auto n = value_at({from.mem.base, false, 0}, at, moves - 1, false);
        if (!n || __builtin_add_overflow(n->value, from.mem.disp.value, &n->value))
          return std::nullopt;
        return n;
      }
      default: return std::nullopt;
    }
  }

  const BlockGraph& graph_;
  const LoopBlocks& loop_;
  const std::uint32_t head_;
  Keeper counter_;
  std::optional<Keeper> limit_;  // what it is compared with; none: `bound_`
  std::int64_t bound_ = 0;
  bool is_swapped_ = false;  // the limit is what is compared with the counter
  int width_ = 64;           // of both [bits]
  ZydisMnemonic branch_ = ZYDIS_MNEMONIC_INVALID;
  bool stays_if_taken_ = false;
  std::uint64_t test_ = 0;  // the end of the instruction
  std::uint32_t step_block_ = 0;
  std::int64_t step_ = 0;
  std::uint64_t step_at_ = 0;  // the end of the instruction
};

}  // namespace

std::vector<std::uint64_t> constant_trips(const Binary& binary, const Flow& flow,
                                          std::span<const LoopBlocks> loops) {
  std::vector<std::uint64_t> out;
  if (loops.empty()) return out;
  const BlockGraph graph(binary, flow);
  for (const LoopBlocks& loop : loops)
    out.push_back(loop.heads.size() == 1 ? CountedLoop(graph, loop).trips() : 0);
  return out;
}

}  // namespace reprise::code
