#include "trace/series/closed_terms.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15u | 1;  // of the polynomial hash

constexpr std::uint64_t power_of_base(std::size_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t b = kBase; exponent; exponent >>= 1, b *= b) {
    if (exponent & 1) result *= b;
  }
  return result;
}

std::uint64_t shape_hash(const Term& term, std::int64_t origin) {
  std::uint64_t h = combine(term.count, static_cast<std::uint64_t>(term.step));
  if (term.is_run()) {
    return combine(h, static_cast<std::uint64_t>(wrapping_sub(term.value, origin)));
  }
  for (const Term& t : term.body) h = combine(h, shape_hash(t, origin));
  return combine(h, term.body.size());
}

constexpr std::uint64_t kSingleShape = combine(combine(1, 0), 0);  // as of Term{}

// Whether b is a, moved by `shift`.
bool term_same_moved(const Term& a, const Term& b, std::int64_t shift) {
  if (a.count != b.count || a.step != b.step || a.body.size() != b.body.size()) return false;
  if (a.is_run()) return wrapping_add(a.value, shift) == b.value;
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (!term_same_moved(a.body[i], b.body[i], shift)) return false;
  }
  return true;
}

bool is_single(const Term& term) { return term.is_run() && term.count == 1; }

// Of a term that begins `distance` behind the one before.
std::uint64_t append_hash(std::uint64_t prefix, std::uint64_t shape, std::int64_t distance) {
  return prefix * kBase + combine(shape, static_cast<std::uint64_t>(distance));
}

}  // namespace

std::uint32_t PlaceTable::find(std::uint64_t hash) const {
  if (slots_.empty()) return kNowhere;
  const Slot& slot = slots_[tag_of(hash) & (slots_.size() - 1)];
  return slot.tag == tag_of(hash) ? slot.place : kNowhere;
}

void PlaceTable::set(std::uint64_t hash, std::uint32_t place) {
  // Sparse while that is cheap: what is displaced may be the repeat that is looked for.
  if (wanted_.per_place * taken_ >= slots_.size() && slots_.size() < wanted_.most) {
    std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()));
    old.swap(slots_);
    taken_ = 0;
    for (const Slot& slot : old) {
      if (slot.place != kNowhere) set(slot.tag, slot.place);
    }
  }
  Slot& slot = slots_[tag_of(hash) & (slots_.size() - 1)];
  taken_ += slot.place == kNowhere;
  slot = {tag_of(hash), place};
}

bool ClosedTerms::is_large(std::size_t i) const {
  const std::uint32_t rich = rich_of(i);
  if (rich == 0) return false;
  const Term& term = rich_[rich - 1].term;
  return !term.is_run() || term.count > 2;
}

std::uint64_t ClosedTerms::shape_of(std::uint32_t rich) const {
  return rich == 0 ? kSingleShape : rich_[rich - 1].shape;
}

void ClosedTerms::push(Term term) {
  const std::size_t n = size();
  const std::int64_t value = first_value(term);
  const std::int64_t before = n == 0 ? 0 : first(n - 1);
  const std::uint64_t prefix_before = n == 0 ? 0 : prefix(n - 1);
  std::uint32_t rich = 0;
  if (!is_single(term)) {
    const std::uint64_t shape = shape_hash(term, value);
    rich_.push_back({std::move(term), shape});
    rich = static_cast<std::uint32_t>(rich_.size());
  }
  prefixes_.push_back(append_hash(prefix_before, shape_of(rich), wrapping_sub(value, before)));
  firsts_.push_back(value);
  rich_of_.push_back(rich);
  if (firsts_.size() == 2 * kLoose) pack();
}

std::vector<Term> ClosedTerms::take(std::size_t begin) {
  std::vector<Term> terms;
  terms.reserve(size() - begin);
  std::size_t rich_left = rich_.size();
  for (std::size_t i = begin; i < size(); ++i) {
    const std::uint32_t rich = rich_of(i);
    if (rich == 0) {
      terms.push_back({.value = first(i)});
    } else {
      rich_left = std::min<std::size_t>(rich_left, rich - 1);
      terms.push_back(std::move(rich_[rich - 1].term));
    }
  }
  cut(begin);
  rich_.erase(rich_.begin() + static_cast<std::ptrdiff_t>(rich_left), rich_.end());
  return terms;
}

// Forgets the terms from index `begin` on, but for what is in rich_.
void ClosedTerms::cut(std::size_t begin) {
  if (begin < packed()) {
    const Unpacked& last = unpacked(begin);
    const std::size_t kept = begin % kBlock;
    firsts_.assign(last.firsts, last.firsts + kept);
    prefixes_.assign(last.prefixes, last.prefixes + kept);
    rich_of_.assign(last.rich_of, last.rich_of + kept);
    const std::uint32_t end = blocks_[begin / kBlock];
    pages_.resize(end / kPage + 1);
    pages_.back().resize(end % kPage);
    blocks_.resize(begin / kBlock);
    unpacked_.clear();
    newest_ = 0;
    return;
  }
  const std::size_t kept = begin - packed();
  firsts_.resize(kept);
  prefixes_.resize(kept);
  rich_of_.resize(kept);
}

void ClosedTerms::pack() {
  for (std::size_t i = 0; i < kLoose; i += kBlock) pack_block(i);
  firsts_.erase(firsts_.begin(), firsts_.begin() + kLoose);
  prefixes_.erase(prefixes_.begin(), prefixes_.begin() + kLoose);
  rich_of_.erase(rich_of_.begin(), rich_of_.begin() + kLoose);
}

// block := fixed64 prefix of the first term, varint which terms are rich: a bit each,
//          varint number of the first of these, value{kBlock}
void ClosedTerms::pack_block(std::size_t loose) {
  std::uint64_t is_rich = 0;
  std::uint32_t first_rich = 0;
  for (std::size_t i = kBlock; i-- > 0;) {
    if (rich_of_[loose + i] == 0) continue;
    is_rich |= std::uint64_t{1} << i;
    first_rich = rich_of_[loose + i];
  }
  ByteWriter out;
  out.fixed64(prefixes_[loose]);
  out.varint(is_rich);
  out.varint(first_rich);
  for (std::size_t i = 0; i < kBlock; ++i) encode_value(out, firsts_[loose + i]);
  if (pages_.empty() || pages_.back().size() + out.size() > kPage) {
    pages_.emplace_back();
    if (pages_.size() > 1) pages_.back().reserve(kPage);
  }
  std::vector<std::uint8_t>& page = pages_.back();
  blocks_.push_back(static_cast<std::uint32_t>((pages_.size() - 1) * kPage + page.size()));
  page.insert(page.end(), out.bytes().begin(), out.bytes().end());
}

// The block of a packed term.
const ClosedTerms::Unpacked& ClosedTerms::unpacked(std::size_t i) const {
  const std::size_t block = i / kBlock;
  if (unpacked_.empty()) unpacked_.resize(2);
  if (unpacked_[newest_].block == block) return unpacked_[newest_];
  newest_ = 1 - newest_;
  if (unpacked_[newest_].block != block) {
    unpacked_[newest_].block = block;
    unpack(unpacked_[newest_]);
  }
  return unpacked_[newest_];
}

void ClosedTerms::unpack(Unpacked& to) const {
  const std::uint32_t begin = blocks_[to.block];
  const std::vector<std::uint8_t>& page = pages_[begin / kPage];
  ByteReader in(page.data() + begin % kPage, page.size() - begin % kPage);
  std::uint64_t prefix = in.fixed64();
  const std::uint64_t is_rich = in.varint();
  auto rich = static_cast<std::uint32_t>(in.varint());
  for (std::size_t i = 0; i < kBlock; ++i) {
    to.firsts[i] = decode_value(in);
    to.rich_of[i] = (is_rich >> i & 1) != 0 ? rich++ : 0;
    if (i > 0) {
      const std::int64_t distance = wrapping_sub(to.firsts[i], to.firsts[i - 1]);
      prefix = append_hash(prefix, shape_of(to.rich_of[i]), distance);
    }
    to.prefixes[i] = prefix;
  }
}

// Polynomial hash of the `length` terms that end with index `end`.
std::uint64_t ClosedTerms::window_hash(std::size_t end, std::size_t length) const {
  const std::uint64_t before = end + 1 == length ? 0 : prefix(end - length);
  return prefix(end) - before * power_of_base(length);
}

// Of the last `context` terms.
std::uint64_t ClosedTerms::context_hash(std::size_t context) const {
  return mix(window_hash(size() - 1, context) + context);
}

bool ClosedTerms::same_moved(std::size_t a, std::size_t b, std::int64_t shift) const {
  const std::uint32_t rich_a = rich_of(a), rich_b = rich_of(b);
  if (rich_a == 0 || rich_b == 0) {
    return rich_a == rich_b && wrapping_add(first(a), shift) == first(b);
  }
  return term_same_moved(rich_[rich_a - 1].term, rich_[rich_b - 1].term, shift);
}

// Whether the `length` terms from `first` and from `second` look alike, up to a common shift.
bool ClosedTerms::hashes_match(std::size_t first, std::size_t second, std::size_t length) const {
  if (shape(first) != shape(second)) return false;
  return length == 1 || window_hash(first + length - 1, length - 1) ==
                            window_hash(second + length - 1, length - 1);
}

bool ClosedTerms::windows_match(std::size_t period, std::size_t passes) const {
  const std::size_t n = size();
  if (n < passes * period) return false;
  const std::size_t body = n - passes * period;
  const std::int64_t step = wrapping_sub(first(body + period), first(body));
  for (std::size_t k = 1; k < passes; ++k) {
    if (!hashes_match(body, body + k * period, period)) return false;
    if (wrapping_sub(first(body + k * period), first(body)) != wrapping_mul(step, k)) {
      return false;
    }
  }
  for (std::size_t k = 1; k < passes; ++k) {
    for (std::size_t i = 0; i < period; ++i) {
      if (!same_moved(body + i, body + k * period + i, wrapping_mul(step, k))) return false;
    }
  }
  return true;
}

}  // namespace reprise::trace
