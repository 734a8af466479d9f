#include "analyze/symbols/work.hpp"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstddef>

namespace reprise::analyze {
namespace {

// A function that only passes a call on is far smaller [bytes].
constexpr std::uint64_t kMostCode = std::uint64_t{1} << 14;
// Calls of calls that are followed.
constexpr int kMaxDepth = 4;

struct Instruction {
  std::uint64_t address = 0, end = 0;
  enum class Kind { plain, jump, branch, call, leave } kind = Kind::plain;
  std::uint64_t target = 0;  // of a jump, branch or call; 0: unknown
};

Instruction::Kind kind_of(const ZydisDecodedInstruction& i) {
  switch (i.meta.category) {
    case ZYDIS_CATEGORY_UNCOND_BR: return Instruction::Kind::jump;
    case ZYDIS_CATEGORY_COND_BR: return Instruction::Kind::branch;
    case ZYDIS_CATEGORY_CALL: return Instruction::Kind::call;
    case ZYDIS_CATEGORY_RET: return Instruction::Kind::leave;
    default: return Instruction::Kind::plain;
  }
}

// Appends the instructions of a range. False: they cannot be read.
bool decode(const DebugInfo& binary, const CodeRange& range, std::vector<Instruction>& out) {
  const std::vector<std::uint8_t> bytes = binary.bytes(range);
  if (bytes.size() != range.second - range.first) return false;
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  for (std::size_t at = 0; at < bytes.size();) {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, &bytes[at], bytes.size() - at, &i, operands))) {
      return false;
    }
    Instruction& made = out.emplace_back();
    made.address = range.first + at;
    at += i.length;
    made.end = range.first + at;
    made.kind = kind_of(i);
    if (i.operand_count_visible == 0 || made.kind == Instruction::Kind::plain) continue;
    ZyanU64 target = 0;
    if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&i, &operands[0], made.address, &target))) continue;
    const bool is_slot = operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
    made.target = is_slot ? binary.imported_at(target) : target;
  }
  return true;
}

// The control flow of a function, by instruction.
class Flow {
 public:
  explicit Flow(std::vector<Instruction> code)
      : code_(std::move(code)), next_(code_.size()), leaves_(code_.size()) {
    std::ranges::sort(code_, {}, &Instruction::address);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& instruction = code_[i];
      using Kind = Instruction::Kind;
      if (instruction.kind != Kind::jump && instruction.kind != Kind::leave)
        add_edge(i, instruction.end);
      if (instruction.kind == Kind::jump || instruction.kind == Kind::branch)
        add_edge(i, instruction.target);
      if (instruction.kind == Kind::leave) leaves_[i] = true;
      // Behind a call that does not return there may be no code.
      if (instruction.kind == Kind::call) leaves_[i] = false;
    }
  }

  // Whether control may come to an instruction twice.
  bool has_cycle() const {
    enum class State : char { fresh, open, done };
    std::vector<State> state(code_.size(), State::fresh);
    std::vector<std::pair<std::size_t, std::size_t>> stack;  // instruction, next edge
    for (std::size_t root = 0; root < code_.size(); ++root) {
      if (state[root] != State::fresh) continue;
      state[root] = State::open;
      stack.emplace_back(root, 0);
      while (!stack.empty()) {
        auto& [at, edge] = stack.back();
        if (edge == next_[at].size()) {
          state[at] = State::done;
          stack.pop_back();
          continue;
        }
        const std::size_t to = next_[at][edge++];
        if (state[to] == State::open) return true;
        if (state[to] != State::fresh) continue;
        state[to] = State::open;
        stack.emplace_back(to, 0);
      }
    }
    return false;
  }

  // Where the calls lead that every execution makes, those that end the function included.
  std::vector<std::uint64_t> calls() const {
    std::vector<std::uint64_t> out;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& c = code_[i];
      const bool is_tail_call = c.kind == Instruction::Kind::jump && next_[i].empty();
      if ((c.kind == Instruction::Kind::call || is_tail_call) && c.target != 0 && is_always(i))
        out.push_back(c.target);
    }
    return out;
  }

 private:
  void add_edge(std::size_t from, std::uint64_t address) {
    const auto to = std::ranges::lower_bound(code_, address, {}, &Instruction::address);
    if (to != code_.end() && to->address == address) {
      next_[from].push_back(static_cast<std::size_t>(to - code_.begin()));
    } else {
      leaves_[from] = true;
    }
  }

  // Whether no execution gets from the first instruction out of the code without this one.
  bool is_always(std::size_t without) const {
    std::vector<bool> seen(code_.size(), false);
    std::vector<std::size_t> stack{0};
    seen[0] = true;
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      if (at == without) continue;
      if (leaves_[at]) return false;
      for (const std::size_t to : next_[at]) {
        if (!seen[to]) stack.push_back(to);
        seen[to] = true;
      }
    }
    return true;
  }

  std::vector<Instruction> code_;
  std::vector<std::vector<std::size_t>> next_;  // by instruction
  std::vector<bool> leaves_;                    // by instruction: may be the last one
};

}  // namespace

bool Work::has_loop(const std::vector<CodeRange>& code, int depth) {
  std::uint64_t size = 0;
  for (const auto& [begin, end] : code) size += end - begin;
  if (size == 0 || size > kMostCode) return true;
  std::vector<Instruction> instructions;
  for (const CodeRange& range : code) {
    if (!decode(binary_, range, instructions)) return true;
  }
  const Flow flow(std::move(instructions));
  if (flow.has_cycle()) return true;
  return std::ranges::any_of(flow.calls(),
                             [&](std::uint64_t target) { return calls_loop(target, depth + 1); });
}

bool Work::calls_loop(std::uint64_t address, int depth) {
  const CodeRange function = binary_.function_at(address);
  if (function.first == function.second || depth > kMaxDepth) return false;
  const auto [entry, is_new] = known_.try_emplace(function.first, false);
  // A function that calls itself repeats its work.
  if (is_new) entry->second = true;
  if (is_new) entry->second = has_loop({function}, depth);
  return entry->second;
}

}  // namespace reprise::analyze
