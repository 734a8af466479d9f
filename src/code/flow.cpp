#include "code/flow.hpp"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>

namespace reprise::code {
namespace {

constexpr std::size_t kMaxInstructions = std::size_t{1} << 20;
// How far before an indirect jump the instructions may stand that bound its index, that set its
// register, and that load the address of its table, which may be far before a loop [instructions].
constexpr std::size_t kIndexSearch = 40;
constexpr std::size_t kRegisterSearch = 200;
constexpr std::size_t kTableSearch = 20000;
constexpr std::size_t kMaxSteps = std::size_t{1} << 24;  // of all such searches in a function
// Entries of a table of jumps of which no comparison says the number.
constexpr std::uint64_t kMaxEntries = 1024;
// Functions that may never return, since they end the program: the longest ones that are searched,
// and how deep.
constexpr std::uint64_t kLongestExit = 4096;  // [bytes]
constexpr int kMaxExits = 3;                  // calls within each other

// Whether a function of a C, C++ or Fortran library does not return to its caller.
bool is_without_return(std::string_view symbol) {
  static constexpr std::string_view kNames[] = {
      "_Exit",
      "_FortranAAbort",
      "_FortranAExit",
      "_FortranAFailImageStatement",
      "_FortranAStopStatement",
      "_FortranAStopStatementText",
      "_Unwind_Resume",
      "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
      "_ZSt9terminatev",
      "__assert",
      "__assert_fail",
      "__assert_perror_fail",
      "__chk_fail",
      "__cxa_bad_cast",
      "__cxa_bad_typeid",
      "__cxa_call_terminate",
      "__cxa_deleted_virtual",
      "__cxa_pure_virtual",
      "__cxa_rethrow",
      "__cxa_throw",
      "__cxa_throw_bad_array_new_length",
      "__fortify_fail",
      "__longjmp_chk",
      "__stack_chk_fail",
      "_exit",
      "_gfortran_abort",
      "_gfortran_error_stop_numeric",
      "_gfortran_error_stop_string",
      "_gfortran_exit_i4",
      "_gfortran_exit_i8",
      "_gfortran_os_error",
      "_gfortran_os_error_at",
      "_gfortran_runtime_error",
      "_gfortran_runtime_error_at",
      "_gfortran_stop_numeric",
      "_gfortran_stop_string",
      "_longjmp",
      "abort",
      "err",
      "errx",
      "exit",
      "exit_",
      "f90_stop",
      "f90_stop08",
      "f90_stop08a",
      "for_exit",
      "for_stop",
      "for_stop_core",
      "for_stop_core_quiet",
      "longjmp",
      "pthread_exit",
      "quick_exit",
      "siglongjmp",
      "thrd_exit",
      "verr",
      "verrx",
  };
  static_assert(std::ranges::is_sorted(kNames));
  // std::__throw_length_error and its like.
  const bool is_throw = symbol.starts_with("_ZSt") && symbol.find("__throw_") != symbol.npos;
  return is_throw || std::ranges::binary_search(kNames, symbol);
}

struct Instruction {
  enum class Kind : std::uint8_t { plain, call, branch, jump, indirect_jump, leave };
  std::uint64_t address = 0;
  std::uint8_t length = 0;
  Kind kind = Kind::plain;
  bool is_landing = false;             // marks where indirect jumps may lead (endbr64)
  std::uint64_t target = 0;            // of a call, branch or jump; 0: unknown
  std::uint64_t landing_pad = 0;       // of a call: what follows where an exception leaves it
  std::optional<std::uint64_t> table;  // an address that it computes or jumps through
  std::optional<std::uint64_t> slot;   // where the address lies that it calls or jumps to
  bool has_absolute_table = false;     // the table has addresses; else distances from itself
  ZydisRegister table_register = ZYDIS_REGISTER_NONE;  // where it puts the address of a table
  std::optional<std::uint64_t> compares;               // the constant that it compares with
  bool leads_anywhere = false;              // a jump to another function, not known which
  bool never_returns = false;               // a call of a function that does not return
  bool traps = false;                       // nothing follows it (ud2, hlt)
  bool bounds_index = false;                // a branch for what is above the constant compared with
  std::vector<std::uint64_t> destinations;  // of an indirect jump

  std::uint64_t end() const { return address + length; }
};

// The register that an instruction sets, and to what, as far as jumps by tables need it.
struct Setting {
  ZydisRegister target = ZYDIS_REGISTER_NONE;   // all 64 bits of it
  ZydisRegister addend = ZYDIS_REGISTER_NONE;   // it is added to the target
  std::optional<std::uint64_t> absolute_table;  // loaded from there, eight bytes for each index
};

class Decoder {
 public:
  Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  std::optional<Instruction> decode(std::uint64_t address,
                                    std::span<const std::uint8_t> bytes) const {
    ZydisDecodedInstruction in;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), bytes.size(), &in)))
      return std::nullopt;
    Instruction out;
    out.address = address;
    out.length = in.length;
    const bool is_direct = in.raw.imm[0].is_relative;
    switch (in.meta.category) {
      case ZYDIS_CATEGORY_CALL: out.kind = Instruction::Kind::call; break;
      case ZYDIS_CATEGORY_COND_BR: out.kind = Instruction::Kind::branch; break;
      case ZYDIS_CATEGORY_UNCOND_BR:
        out.kind = is_direct ? Instruction::Kind::jump : Instruction::Kind::indirect_jump;
        break;
      case ZYDIS_CATEGORY_RET: out.kind = Instruction::Kind::leave; break;
      default: break;
    }
    out.traps = in.mnemonic == ZYDIS_MNEMONIC_UD2 || in.mnemonic == ZYDIS_MNEMONIC_HLT;
    if (out.traps) out.kind = Instruction::Kind::leave;
    if (is_direct) out.target = out.end() + static_cast<std::uint64_t>(in.raw.imm[0].value.s);
    out.is_landing = in.mnemonic == ZYDIS_MNEMONIC_ENDBR64;
    const bool has_memory = (in.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && in.raw.modrm.mod != 3;
    const auto displacement = static_cast<std::uint64_t>(in.raw.disp.value);
    const bool is_at_fixed_place = has_memory && in.raw.modrm.mod == 0 && in.raw.modrm.rm == 5;
    if (is_at_fixed_place && in.mnemonic == ZYDIS_MNEMONIC_LEA) {
      out.table = out.end() + displacement;
      out.table_register = setting(bytes).target;
    }
    const bool is_transfer = out.kind == Instruction::Kind::indirect_jump ||
                             (out.kind == Instruction::Kind::call && !is_direct);
    if (is_at_fixed_place && is_transfer) out.slot = out.end() + displacement;
    if (out.kind == Instruction::Kind::indirect_jump && out.slot)
      out.kind = Instruction::Kind::leave;  // to another function: a tail call
    if (out.kind == Instruction::Kind::indirect_jump && has_memory) {
      const bool is_indexed = in.raw.modrm.rm == 4 && in.raw.sib.base == 5 && in.raw.modrm.mod == 0;
      out.has_absolute_table = is_indexed;
      if (is_indexed) out.table = displacement;
    }
    if (in.mnemonic == ZYDIS_MNEMONIC_CMP && in.raw.imm[0].size != 0)
      out.compares = in.raw.imm[0].value.u;
    out.bounds_index = in.mnemonic == ZYDIS_MNEMONIC_JNBE || in.mnemonic == ZYDIS_MNEMONIC_JBE;
    return out;
  }

  // Which register a jump goes through; nothing if it goes elsewhere.
  std::optional<ZydisRegister> jump_register(std::span<const std::uint8_t> bytes) const {
    const auto in = decode_operands(bytes);
    if (!in || in->operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER) return std::nullopt;
    return whole(in->operands[0].reg.value);
  }

  Setting setting(std::span<const std::uint8_t> bytes) const {
    Setting out;
    const auto in = decode_operands(bytes);
    if (!in) return out;
    const ZydisDecodedOperand& to = in->operands[0];
    const bool sets = in->head.operand_count_visible > 0 &&
                      to.type == ZYDIS_OPERAND_TYPE_REGISTER &&
                      (to.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (!sets) return out;
    out.target = whole(to.reg.value);
    if (in->head.operand_count_visible < 2) return out;
    const ZydisDecodedOperand& from = in->operands[1];
    if (in->head.mnemonic == ZYDIS_MNEMONIC_ADD && from.type == ZYDIS_OPERAND_TYPE_REGISTER)
      out.addend = whole(from.reg.value);
    const bool is_indexed = from.type == ZYDIS_OPERAND_TYPE_MEMORY &&
                            from.mem.base == ZYDIS_REGISTER_NONE && from.mem.scale == 8;
    if (in->head.mnemonic == ZYDIS_MNEMONIC_MOV && is_indexed)
      out.absolute_table = static_cast<std::uint64_t>(from.mem.disp.value);
    return out;
  }

 private:
  struct Decoded {
    ZydisDecodedInstruction head;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  };

  std::optional<Decoded> decode_operands(std::span<const std::uint8_t> bytes) const {
    Decoded out;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder_, bytes.data(), bytes.size(), &out.head, out.operands)))
      return std::nullopt;
    return out;
  }

  static ZydisRegister whole(ZydisRegister r) {
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
  }

  ZydisDecoder decoder_{};
};

class FlowReader {
 public:
  // `calls`: how many calls lead from the function that is wanted to the one that is read.
  FlowReader(const Binary& binary, KnownEnds& known, int calls = 0)
      : binary_(binary), known_(known), calls_(calls) {}

  std::optional<Flow> read(std::uint64_t address) {
    if (!read_instructions(address)) return std::nullopt;
    Flow out{blocks(), 0, parts_, {}, {}, {}};
    find_transfers(out);
    const auto entry =
        std::ranges::lower_bound(out.blocks, parts_.front().begin, {}, &Block::begin);
    out.entry = static_cast<std::uint32_t>(entry - out.blocks.begin());
    return out;
  }

 private:
  using Kind = Instruction::Kind;

  bool read_instructions(std::uint64_t address) {
    const auto bounds = binary_.function_at(address);
    if (!bounds || !add_part(*bounds)) return false;
    if (!add_moved_parts()) return false;
    for (auto& [at, instruction] : instructions_) {
      if (instruction.kind == Kind::indirect_jump && !find_destinations(instruction)) return false;
    }
    put_entry_first();
    find_ends();
    return true;
  }

  // Finds the calls that do not return. Compilers put unrelated code behind them, which is reached
  // by jumps, or nothing: other calls need not be searched.
  void find_ends() {
    const std::set<std::uint64_t> jumped_to = jump_targets();
    for (auto& [at, in] : instructions_) {
      if (in.kind != Kind::call) continue;
      if (in.target == 0) {
        in.never_returns = in.slot && is_without_return(binary_.imported_by_slot(*in.slot));
        continue;
      }
      const bool may_end = jumped_to.contains(in.end()) || !is_inside(in.end());
      if (may_end && !is_inside(in.target)) in.never_returns = never_returns(in.target);
    }
  }

  // Whether no path leads from the beginning of another function to a return. False if unknown.
  bool never_returns(std::uint64_t function) {
    if (calls_ == kMaxExits) return false;
    const auto [end, is_new] = known_.try_emplace({function, calls_ + 1});
    if (is_new) end->second = FlowReader(binary_, known_, calls_ + 1).ends_at(function);
    return end->second;
  }

  // Whether the program may go on in another function, or in the caller, behind an instruction.
  bool leaves(const Instruction& in) {
    const bool jumps = in.kind == Kind::jump || in.kind == Kind::branch;
    return returns(in) && !(jumps && never_returns(in.target));
  }

  // Whether no path leads from the beginning of a short function to a return. False if unknown.
  bool ends_at(std::uint64_t address) {
    const auto bounds = binary_.function_at(address);
    const bool is_short =
        bounds && bounds->begin == address && bounds->end - address <= kLongestExit;
    if (!is_short || !read_instructions(address)) return false;
    std::set<std::uint64_t> reached{address};
    for (std::vector<std::uint64_t> open{address}; !open.empty();) {
      const auto in = instructions_.find(open.back());
      open.pop_back();
      if (in == instructions_.end() || returns(in->second)) return false;
      for (const std::uint64_t t : targets(in->second)) {
        if (reached.insert(t).second) open.push_back(t);
      }
    }
    return true;
  }

  // Whether the function may be left behind an instruction: it returns, or jumps to another one.
  bool returns(const Instruction& in) const {
    if (in.kind == Kind::leave) return !in.traps;
    return (in.kind == Kind::jump || in.kind == Kind::branch) && !is_inside(in.target);
  }

  bool is_inside(std::uint64_t address) const {
    return std::ranges::any_of(parts_, [address](const Bounds& b) { return b.holds(address); });
  }

  bool add_part(const Bounds& bounds) {
    parts_.push_back(bounds);
    for (std::uint64_t at = bounds.begin; at < bounds.end;) {
      const auto instruction = decoder_.decode(at, binary_.bytes({at, bounds.end - at}));
      if (!instruction || instructions_.size() == kMaxInstructions) return false;
      at = instruction->end();
      Instruction& added = instructions_.emplace(instruction->address, *instruction).first->second;
      const bool is_direct =
          added.kind == Kind::call || added.kind == Kind::branch || added.kind == Kind::jump;
      if (added.slot) added.target = binary_.function_of_slot(*added.slot).value_or(0);
      if (is_direct && !bounds.holds(added.target)) pass_stub(added);
    }
    for (const Binary::LandingPad& pad : binary_.landing_pads(bounds.begin)) {
      auto in = instructions_.lower_bound(std::max(pad.calls.begin, bounds.begin));
      const std::uint64_t end = std::min(pad.calls.end, bounds.end);
      for (; in != instructions_.end() && in->first < end; ++in) {
        if (in->second.kind == Kind::call) in->second.landing_pad = pad.address;
      }
    }
    return true;
  }

  // A call or jump by a stub of the linker (the PLT), which jumps through a slot, is one to the
  // function of that slot.
  void pass_stub(Instruction& in) {
    constexpr std::size_t kLongest = 15;  // [bytes]
    const auto decode = [this](std::uint64_t at) {
      return decoder_.decode(at, binary_.bytes({at, kLongest}));
    };
    auto stub = decode(in.target);
    if (stub && stub->is_landing) stub = decode(stub->end());
    if (!stub || stub->kind != Kind::leave || !stub->slot) return;
    in.slot = stub->slot;
    in.target = binary_.function_of_slot(*stub->slot).value_or(0);
    if (in.target == 0 && in.kind == Kind::jump) in.kind = Kind::leave;
  }

  // A part elsewhere belongs to this function if one jumps into the middle of the other, or if an
  // exception leads there.
  bool add_moved_parts() {
    std::set<std::uint64_t> asked;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Bounds part = parts_[p];
      const auto begin = instructions_.lower_bound(part.begin);
      const auto end = instructions_.lower_bound(part.end);
      std::vector<std::uint64_t> outside;
      std::set<std::uint64_t> handlers;
      for (auto i = begin; i != end; ++i) {
        const Instruction& in = i->second;
        if ((in.kind == Kind::branch || in.kind == Kind::jump) && !is_inside(in.target))
          outside.push_back(in.target);
        if (in.landing_pad == 0 || is_inside(in.landing_pad)) continue;
        outside.push_back(in.landing_pad);
        handlers.insert(in.landing_pad);
      }
      for (const std::uint64_t target : outside) {
        const auto there = binary_.function_at(target);
        if (is_inside(target) || !there) continue;
        const bool is_part = target != there->begin || handlers.contains(target) ||
                             (asked.insert(there->begin).second && jumps_back(*there));
        if (is_part && !add_part(*there)) return false;
      }
    }
    return true;
  }

  // Code that was moved is reached by jumps alone, the beginning of a function by calls. Where that
  // does not tell, parts that were moved are the smaller ones.
  void put_entry_first() {
    const std::set<std::uint64_t> jumped_to = jump_targets();
    std::ranges::stable_sort(parts_, std::greater<>(), [&](const Bounds& b) {
      return std::pair(!jumped_to.contains(b.begin), b.end - b.begin);
    });
  }

  // Whether code there jumps into a part of this function, but not to its beginning.
  bool jumps_back(const Bounds& there) {
    for (std::uint64_t at = there.begin; at < there.end;) {
      const auto in = decoder_.decode(at, binary_.bytes({at, there.end - at}));
      if (!in) return false;
      at = in->end();
      if ((in->kind == Kind::branch || in->kind == Kind::jump) && is_inside(in->target) &&
          std::ranges::find(parts_, in->target, &Bounds::begin) == parts_.end()) {
        return true;
      }
    }
    return false;
  }

  // A jump by a table: `lea table, a; movslq (a, index, 4), b; add a, b; jmp b` behind `cmp last,
  // index; ja`, in some order; or `jmp table(, index, 8)`, or the same by a register. Anything else
  // leaves the function, if the stack is as it was when it was entered (a tail call).
  bool find_destinations(Instruction& jump) {
    if (!jump.table) find_table(jump);
    if (jump.table) read_table(jump);
    if (!jump.destinations.empty()) return true;
    jump.kind = Kind::leave;
    jump.leads_anywhere = true;
    return has_entry_stack(jump.address);
  }

  void read_table(Instruction& jump) {
    const std::uint64_t table = *jump.table, unit = jump.has_absolute_table ? 8 : 4;
    const auto bytes = binary_.bytes({table, entries_of(jump) * unit});
    for (std::uint64_t e = 0; (e + 1) * unit <= bytes.size(); ++e) {
      std::uint64_t to = 0;
      if (jump.has_absolute_table) {
        std::memcpy(&to, bytes.data() + 8 * e, 8);
      } else {
        std::int32_t distance = 0;
        std::memcpy(&distance, bytes.data() + 4 * e, 4);
        to = table + static_cast<std::uint64_t>(std::int64_t{distance});
      }
      if (!is_inside(to) || !instructions_.contains(to)) break;
      jump.destinations.push_back(to);
    }
  }

  bool has_entry_stack(std::uint64_t address) {
    const auto part =
        std::ranges::find_if(parts_, [=](const Bounds& b) { return b.holds(address); });
    if (part == parts_.end()) return false;
    const auto [known, is_new] = with_entry_stack_.try_emplace(part->begin);
    if (is_new) known->second = binary_.with_entry_stack(part->begin);
    return std::ranges::any_of(known->second, [=](const Bounds& b) { return b.holds(address); });
  }

  // How many entries the table of a jump has at most.
  std::uint64_t entries_of(const Instruction& jump) const {
    bool is_bound = false;
    auto i = instructions_.find(jump.address);
    for (std::size_t n = 0; n < kIndexSearch && i != instructions_.begin(); ++n) {
      const Instruction& in = (--i)->second;
      is_bound = is_bound || in.bounds_index;
      if (is_bound && in.compares)
        return *in.compares < kMaxEntries ? *in.compares + 1 : kMaxEntries;
    }
    return kMaxEntries;
  }

  // The table of a jump through a register, if that is a sum with one of its addends loaded from a
  // table, or is itself loaded from a table at a fixed place.
  void find_table(Instruction& jump) {
    const auto target = decoder_.jump_register(bytes_of(jump));
    if (!target) return;
    auto i = instructions_.find(jump.address);
    Setting set;
    for (std::size_t n = 0; n < kRegisterSearch && set.target != *target; ++n) {
      if (i == instructions_.begin() || ++steps_ > kMaxSteps) return;
      set = decoder_.setting(bytes_of((--i)->second));
    }
    if (set.target != *target) return;
    if (set.absolute_table) {
      jump.table = set.absolute_table;
      jump.has_absolute_table = true;
    }
    if (set.addend == ZYDIS_REGISTER_NONE) return;
    for (std::size_t n = 0; n < kTableSearch && i != instructions_.begin(); ++n) {
      if (++steps_ > kMaxSteps) return;
      const Instruction& in = (--i)->second;
      if (in.table && (in.table_register == *target || in.table_register == set.addend)) {
        jump.table = in.table;
        return;
      }
    }
  }

  std::span<const std::uint8_t> bytes_of(const Instruction& in) const {
    return binary_.bytes({in.address, in.length});
  }

  void find_transfers(Flow& out) const {
    for (const auto& [at, in] : instructions_) {
      if (in.kind == Kind::call && in.target != 0) out.calls.push_back({in.end(), in.target});
      const bool is_by_slot = in.kind != Kind::call && in.slot && in.target == 0;
      if (is_by_slot || in.leads_anywhere)
        out.departures.push_back({in.end(), in.slot.value_or(0)});
      const bool may_be_tail_call = in.kind == Kind::jump || in.kind == Kind::branch ||
                                    (in.kind == Kind::leave && in.target != 0);
      if (!may_be_tail_call || in.target == 0 || is_inside(in.target)) continue;
      const auto there = binary_.function_at(in.target);
      if (there && there->begin == in.target) out.tail_calls.push_back({in.end(), in.target});
    }
  }

  std::vector<std::uint64_t> targets(const Instruction& in) const {
    switch (in.kind) {
      case Kind::plain: return {in.end()};
      case Kind::call: {
        std::vector<std::uint64_t> out;
        if (!in.never_returns) out.push_back(in.end());
        if (in.landing_pad != 0) out.push_back(in.landing_pad);
        return out;
      }
      case Kind::branch: return {in.target, in.end()};
      case Kind::jump: return {in.target};
      case Kind::indirect_jump: return in.destinations;
      case Kind::leave: break;
    }
    return {};
  }

  // Where jumps and branches lead, taken or not, and exceptions.
  std::set<std::uint64_t> jump_targets() const {
    std::set<std::uint64_t> out;
    for (const auto& [at, in] : instructions_) {
      if (in.landing_pad != 0) out.insert(in.landing_pad);
      if (in.kind == Kind::plain || in.kind == Kind::call) continue;
      for (const std::uint64_t t : targets(in)) out.insert(t);
    }
    return out;
  }

  std::vector<Block> blocks() {
    std::set<std::uint64_t> begins;
    for (const Bounds& b : parts_) begins.insert(b.begin);
    for (const auto& [at, in] : instructions_) {
      if (in.kind == Kind::plain) continue;
      begins.insert(in.end());
      for (const std::uint64_t t : targets(in)) begins.insert(t);
    }
    std::vector<Block> out;
    std::vector<std::vector<std::uint64_t>> leads_to;
    for (const auto& [at, in] : instructions_) {
      const bool is_next = !out.empty() && out.back().end == at;
      if (!is_next || begins.contains(at)) {
        out.push_back({at, at, {}, false});
        leads_to.emplace_back();
      }
      out.back().end = in.end();
      out.back().leaves = leaves(in);
      leads_to.back() = targets(in);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const std::uint64_t to : leads_to[i]) {
        const auto found = std::ranges::lower_bound(out, to, {}, &Block::begin);
        if (found != out.end() && found->begin == to)
          out[i].successors.push_back(static_cast<std::uint32_t>(found - out.begin()));
      }
      std::vector<std::uint32_t>& s = out[i].successors;
      std::ranges::sort(s);
      s.erase(std::unique(s.begin(), s.end()), s.end());
    }
    return out;
  }

  const Binary& binary_;
  KnownEnds& known_;
  int calls_;
  Decoder decoder_;
  std::vector<Bounds> parts_;
  std::map<std::uint64_t, Instruction> instructions_;
  std::map<std::uint64_t, std::vector<Bounds>> with_entry_stack_;  // by the beginning of a part
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<Flow> read_flow(const Binary& binary, std::uint64_t address, KnownEnds& known) {
  return FlowReader(binary, known).read(address);
}

}  // namespace reprise::code
