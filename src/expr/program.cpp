#include "expr/program.hpp"

#include <algorithm>
#include <array>

#include "expr/print.hpp"

namespace reprise::expr {

std::size_t Program::add(Kind kind, std::int64_t value, Op op) {
  code_.push_back({kind, op, value});
  return code_.size() - 1;
}

// The jump goes to what is emitted next.
void Program::land(std::size_t jump) {
  code_[jump].value = static_cast<std::int64_t>(code_.size());
}

// a && b: a ? b != 0 : 0; a || b: a ? 1 : b != 0
Status Program::emit_logical(const Expr& e, Names& names, std::size_t height) {
  if (Status s = emit(e.operands()[0], names, height); !s) return s;
  const bool both = e.op() == Op::logical_and;
  const std::size_t unless = add(Kind::jump_unless);
  if (!both) add(Kind::constant, 1);
  std::size_t end = both ? 0 : add(Kind::jump);
  if (!both) land(unless);
  if (Status s = emit(e.operands()[1], names, height); !s) return s;
  add(Kind::to_bool);
  if (both) {
    end = add(Kind::jump);
    land(unless);
    add(Kind::constant, 0);
  }
  land(end);
  return {};
}

Status Program::emit_conditional(const Expr& e, Names& names, std::size_t height) {
  if (Status s = emit(e.operands()[0], names, height); !s) return s;
  const std::size_t unless = add(Kind::jump_unless);
  if (Status s = emit(e.operands()[1], names, height); !s) return s;
  const std::size_t end = add(Kind::jump);
  land(unless);
  if (Status s = emit(e.operands()[2], names, height); !s) return s;
  land(end);
  return {};
}

Status Program::emit_variable(const std::string& name, const Names& names) {
  for (std::size_t i = names.indices.size(); i-- > 0;) {
    const auto& [index, place] = names.indices[i];
    if (index == name) return add(Kind::local, static_cast<std::int64_t>(place)), Status();
  }
  const auto slot = std::find(names.slots.begin(), names.slots.end(), name);
  if (slot == names.slots.end()) return Error{"the variable '" + name + "' is not known here"};
  return add(Kind::slot, slot - names.slots.begin()), Status();
}

// On the stack from `height`: the count, the sum so far, the index, and a term.
Status Program::emit_sum(const Expr& e, Names& names, std::size_t height) {
  height_ = std::max(height_, height + 3);
  const auto parts = e.operands();
  if (Status s = emit(parts[1], names, height); !s) return s;
  const std::size_t begin = add(Kind::begin_sum);
  const auto first = static_cast<std::int64_t>(code_.size());
  names.indices.emplace_back(parts[0].name(), height + 2);
  if (Status s = emit(parts[2], names, height + 3); !s) return s;
  names.indices.pop_back();
  add(Kind::next_term, first);
  land(begin);
  add(Kind::end_sum);
  return {};
}

// Emits code that pushes the value onto a stack of `height` values.
Status Program::emit(const Expr& e, Names& names, std::size_t height) {
  height_ = std::max(height_, height + 1);
  if (e.is_constant()) return add(Kind::constant, e.value()), Status();
  if (e.is_variable()) return emit_variable(e.name(), names);
  if (e.op() == Op::sum) return emit_sum(e, names, height);
  if (e.op() == Op::conditional) return emit_conditional(e, names, height);
  if (e.op() == Op::logical_and || e.op() == Op::logical_or) return emit_logical(e, names, height);
  for (std::size_t i = 0; i < e.operands().size(); ++i) {
    if (Status s = emit(e.operands()[i], names, height + i); !s) return s;
  }
  add(e.operands().size() == 1 ? Kind::unary : Kind::binary, 0, e.op());
  return {};
}

Result<Program> Program::compile(const Expr& e, std::span<const std::string> names) {
  Program program;
  Names scope{names};
  if (Status s = program.emit(e, scope, 0); !s) return s.error();
  return program;
}

Fault Program::run_on(std::int64_t* stack, std::span<const std::int64_t> slots) const {
  std::int64_t* top = stack - 1;
  std::int64_t terms = 0;
  for (std::size_t at = 0; at < code_.size(); ++at) {
    const Instruction& i = code_[at];
    switch (i.kind) {
      case Kind::constant: *++top = i.value; break;
      case Kind::slot: *++top = slots[static_cast<std::size_t>(i.value)]; break;
      case Kind::jump: at = static_cast<std::size_t>(i.value) - 1; break;
      case Kind::jump_unless:
        if (*top-- == 0) at = static_cast<std::size_t>(i.value) - 1;
        break;
      case Kind::to_bool: *top = *top != 0; break;
      case Kind::local: *++top = stack[i.value]; break;
      case Kind::begin_sum:
        if (top[0] > kMostTerms - terms) return Fault::terms;
        terms += std::max<std::int64_t>(top[0], 0);
        top += 2;
        top[-1] = top[0] = 0;
        if (top[-2] <= 0) at = static_cast<std::size_t>(i.value) - 1;
        break;
      case Kind::next_term:
        --top;
        if (__builtin_add_overflow(top[-1], top[1], &top[-1])) return Fault::overflow;
        if (++top[0] < top[-2]) at = static_cast<std::size_t>(i.value) - 1;
        break;
      case Kind::end_sum:
        top[-2] = top[-1];
        top -= 2;
        break;
      case Kind::unary:
        if (const Fault f = apply(i.op, *top, 0, *top); f != Fault::none) return f;
        break;
      case Kind::binary:
        --top;
        if (const Fault f = apply(i.op, top[0], top[1], *top); f != Fault::none) return f;
        break;
    }
  }
  return Fault::none;
}

std::optional<std::int64_t> Program::run(std::span<const std::int64_t> slots, Fault* fault) const {
  std::array<std::int64_t, 32> small;
  std::vector<std::int64_t> large(height_ > small.size() ? height_ : 0);
  std::int64_t* stack = large.empty() ? small.data() : large.data();
  const Fault f = run_on(stack, slots);
  if (fault != nullptr) *fault = f;
  if (f != Fault::none) return std::nullopt;
  return stack[0];
}

Result<std::int64_t> evaluate(const Expr& e, std::span<const Value> values) {
  std::vector<std::string> names;
  std::vector<std::int64_t> slots;
  for (const Value& v : values) {
    names.push_back(v.name);
    slots.push_back(v.value);
  }
  const Result<Program> program = Program::compile(e, names);
  if (!program) return program.error();
  Fault fault = Fault::none;
  if (const auto value = program->run(slots, &fault)) return *value;
  return Error{std::string(describe(fault)) + " in '" + print(e) + "'"};
}

}  // namespace reprise::expr
