#include "trace/series/series.hpp"

#include "base/contract.hpp"
#include "base/hash.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

constexpr int kMaxNesting = 64;
// The largest number of values that a decoded bounded term may stand for.
constexpr std::uint64_t kMaxLength = std::uint64_t{1} << 62;

enum Kind : std::uint64_t { kLiterals = 0, kConstantRun = 1, kRun = 2, kRepeat = 3 };

std::uint64_t term_length(const Term& term) { return term.count * term.period; }

std::uint64_t total_length(const std::vector<Term>& terms) {
  std::uint64_t n = 0;
  for (const Term& t : terms) n += term_length(t);
  return n;
}

bool is_literal(const Term& t) { return t.is_run() && t.count == 1; }

void encode_terms(ByteWriter& out, const std::vector<Term>& terms) {
  std::size_t groups = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i == 0 || !is_literal(terms[i]) || !is_literal(terms[i - 1])) ++groups;
  }
  out.varint(groups);
  for (std::size_t i = 0; i < terms.size();) {
    const Term& t = terms[i];
    if (is_literal(t)) {
      std::size_t end = i;
      while (end < terms.size() && is_literal(terms[end])) ++end;
      out.varint((end - i) << 2 | kLiterals);
      for (; i < end; ++i) encode_value(out, terms[i].value);
      continue;
    }
    const std::uint64_t kind = !t.is_run() ? kRepeat : t.step == 0 ? kConstantRun : kRun;
    out.varint(t.count << 2 | kind);
    if (t.is_run()) encode_value(out, t.value);
    if (kind != kConstantRun) out.signed_varint(t.step);
    if (!t.is_run()) encode_terms(out, t.body);
    ++i;
  }
}

std::vector<Term> decode_terms(ByteReader& in, int nesting) {
  std::vector<Term> terms;
  if (nesting > kMaxNesting) return in.fail("a series nests too deeply"), terms;
  const std::size_t groups = in.count_of<Term>(2);
  terms.reserve(groups);
  std::uint64_t length = 0;  // of the terms so far
  for (std::size_t g = 0; g < groups && !in.failed(); ++g) {
    const std::uint64_t head = in.varint();
    const std::uint64_t count = head >> 2;
    const bool last = nesting == 0 && g + 1 == groups;
    if (count == kUnbounded && !(last && (head & 3) != kLiterals)) {
      return in.fail("a series goes on behind its end"), terms;
    }
    if ((head & 3) == kLiterals) {
      // The vector may grow to twice what is in it.
      if (!in.affords<Term>(count > kMaxLength ? count : 2 * count)) return terms;
      for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
        terms.push_back({.value = decode_value(in)});
      }
      if (count > kMaxLength - length) return in.fail("a series is too long"), terms;
      length += count;
      continue;
    }
    Term t{.count = count};
    if ((head & 3) != kRepeat) t.value = decode_value(in);
    if ((head & 3) != kConstantRun) t.step = in.signed_varint();
    if ((head & 3) == kRepeat) {
      t.body = decode_terms(in, nesting + 1);
      if (t.body.empty()) return in.fail("a repeat has no body"), terms;
      t.period = total_length(t.body);
    }
    if (t.period == 0 || t.count > (kMaxLength - length) / t.period) {
      return in.fail("a series is too long"), terms;
    }
    length += term_length(t);
    terms.push_back(std::move(t));
  }
  terms.shrink_to_fit();  // literals let it grow to twice what is in it
  return terms;
}

std::uint64_t hash_terms(const std::vector<Term>& terms, std::uint64_t seed) {
  for (const Term& t : terms) {
    seed = combine(seed, t.count);
    seed = combine(seed, static_cast<std::uint64_t>(t.step));
    seed = t.is_run() ? combine(seed, static_cast<std::uint64_t>(t.value))
                      : combine(hash_terms(t.body, seed), 0x5eed);
  }
  return seed;
}

Term shifted(Term term, std::int64_t by) {
  if (term.is_run()) term.value = wrapping_add(term.value, by);
  for (Term& t : term.body) t = shifted(std::move(t), by);
  return term;
}

}  // namespace

std::int64_t first_value(const Term& term) {
  const Term* t = &term;
  while (!t->is_run()) t = &t->body.front();
  return t->value;
}

Series Series::constant(std::int64_t value) {
  return Series({Term{.value = value, .count = kUnbounded}});
}

std::uint64_t Series::length() const {
  REPRISE_REQUIRE(!is_unbounded());
  return total_length(terms_);
}

std::int64_t Series::at(std::uint64_t k) const {
  const std::vector<Term>* terms = &terms_;
  std::int64_t shift = 0;
  for (;;) {
    const Term* found = nullptr;
    for (const Term& t : *terms) {
      if (t.count == kUnbounded || k < term_length(t)) {
        found = &t;
        break;
      }
      k -= term_length(t);
    }
    if (!found) return 0;
    shift = wrapping_add(shift, wrapping_mul(found->step, k / found->period));
    if (found->is_run()) return wrapping_add(found->value, shift);
    k %= found->period;
    terms = &found->body;
  }
}

std::uint64_t Series::hash() const { return hash_terms(terms_, terms_.size()); }

void Series::encode(ByteWriter& out) const { encode_terms(out, terms_); }

Series Series::decode(ByteReader& in) { return Series(decode_terms(in, 0)); }

SeriesCursor::SeriesCursor(const std::vector<Term>& terms, std::uint64_t first_pass) {
  if (terms.empty()) return;
  frames_.push_back({terms, 0, first_pass, 0});
  enter();
}

void TermCursor::enter() {
  for (;;) {
    const Frame& f = frames_.back();
    const Term& t = f.terms[f.index];
    const std::int64_t shift = wrapping_add(f.shift, t.is_run() ? 0 : wrapping_mul(t.step, f.pass));
    if (t.is_run()) {
      value_ = wrapping_add(t.value, shift);
      step_ = t.step;
      left_ = t.count == kUnbounded ? kForever : t.count;
      return;
    }
    frames_.push_back({t.body, 0, 0, shift});
  }
}

void TermCursor::advance() {
  while (!frames_.empty()) {
    Frame& f = frames_.back();
    const Term& t = f.terms[f.index];
    if (!t.is_run() && (t.count == kUnbounded || f.pass + 1 < t.count)) {
      ++f.pass;
      return enter();
    }
    if (f.index + 1 < f.terms.size()) {
      ++f.index;
      f.pass = 0;
      return enter();
    }
    frames_.pop_back();
  }
}

std::vector<Term> SeriesCursor::passed() const {
  std::vector<Term> out;
  for (std::size_t level = 1; level < frames_.size(); ++level) {
    const Frame& f = frames_[level];
    for (std::size_t i = 0; i < f.index; ++i) out.push_back(shifted(f.terms[i], f.shift));
    const Term& t = f.terms[f.index];
    if (t.is_run()) {
      if (left_ < t.count) {
        Term head = shifted(t, f.shift);
        head.count = t.count - left_;
        if (head.count == 1) head.step = 0;
        out.push_back(std::move(head));
      }
    } else if (f.pass == 1) {
      for (const Term& b : t.body) out.push_back(shifted(b, f.shift));
    } else if (f.pass > 1) {
      Term head = shifted(t, f.shift);
      head.count = f.pass;
      out.push_back(std::move(head));
    }
  }
  return out;
}

void encode_value(ByteWriter& out, std::int64_t value) {
  const std::uint64_t u = zigzag(value);
  if (is_special(value)) {
    out.varint(static_cast<std::uint64_t>(wrapping_sub(value, kSpecialBase)) << 1 | 1);
  } else if (u >> 62 == 0) {
    out.varint(u << 1);
  } else {
    out.varint(127);
    out.fixed64(static_cast<std::uint64_t>(value));
  }
}

std::int64_t decode_value(ByteReader& in) {
  const std::uint64_t u = in.varint();
  if ((u & 1) == 0) return unzigzag(u >> 1);
  if (u == 127) return static_cast<std::int64_t>(in.fixed64());
  if (u >> 1 >= static_cast<std::uint64_t>(kSpecialCount))
    return in.fail("an unknown special value"), 0;
  return wrapping_add(kSpecialBase, static_cast<std::int64_t>(u >> 1));
}

}  // namespace reprise::trace
