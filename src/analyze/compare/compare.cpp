#include "analyze/compare/compare.hpp"

#include <algorithm>
#include <deque>

#include "analyze/compare/alignment.hpp"
#include "analyze/compare/shared_handles.hpp"
#include "analyze/text/describe.hpp"
#include "base/hash.hpp"
#include "trace/calls/places.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Column;
using trace::Event;
using trace::Trace;

namespace {

// Calls looked ahead for a place where both agree again: most often it is near.
constexpr std::size_t kWindows[] = {8, 64};
// Elements of lists that are kept of calls ahead: where there are more, the window is shorter.
constexpr std::size_t kMaxAhead = std::size_t{1} << 20;

// One stream, with some calls taken ahead of time.
class Ahead {
 public:
  // Without a trace the stream is empty.
  // `handles`: requests that may share a handle are told apart.
  Ahead(const Trace* trace, std::uint64_t stream, bool handles) {
    if (trace) cursor_.emplace(*trace, stream);
    if (!handles) requests_.emplace();
  }

  // The i-th call from here, or null behind the end, and where those before hold too much.
  const Event* at(std::size_t i) {
    while (ahead_.size() <= i) {
      const Event* next = elements_ahead() > kMaxAhead ? nullptr : advance();
      if (!next) return nullptr;
      ahead_.push_back(*next);
    }
    return &ahead_[i];
  }

  // The next call, taken; without a copy while nothing is ahead.
  const Event* take() {
    if (ahead_.empty()) return advance();
    taken_ = std::move(ahead_.front());
    ahead_.pop_front();
    return &taken_;
  }

  // Puts back what was taken last. REQUIRES: nothing is ahead, or it came from there.
  void put_back(const Event& event) { ahead_.push_front(event); }

  bool damaged() const { return cursor_ && cursor_->damaged(); }

 private:
  const Event* advance() {
    if (!cursor_ || !cursor_->next()) return nullptr;
    return requests_ ? &requests_->pass(cursor_->event(), cursor_->call_membership().size)
                     : &cursor_->event();
  }
  std::size_t elements_ahead() const {
    std::size_t n = 0;
    for (const Event& e : ahead_) {
      for (const auto& list : e.lists) n += list.size();
    }
    return n;
  }

  std::optional<trace::Cursor> cursor_;
  std::optional<SharedHandles> requests_;
  std::deque<Event> ahead_;
  Event taken_;
};

class Comparer {
 public:
  // `returned_a`: calls of `a`, the first ones, that returned.
  Comparer(const Trace& a, std::size_t returned_a, const Trace& b, std::size_t returned_b,
           const Ignored& ignored)
      : a_(a), b_(b), returned_a_(returned_a), returned_b_(returned_b), ignored_(ignored) {
    for (const trace::Function& f : trace::functions()) {
      std::vector<char>& mask = masks_.emplace_back();
      for (const Column& c : f.scalars) mask.push_back(ignored_.keeps(f, c));
      for (const Column& c : f.lists) mask.push_back(ignored_.keeps(f, c));
    }
    std::map<std::string, std::uint32_t> places;
    number_places(a, returned_a, places, places_a_);
    number_places(b, returned_b, places, places_b_);
    counts_.resize(trace::functions().size());
  }

  Comparison compare() {
    out_.ranks_a = a_.ranks;
    out_.ranks_b = b_.ranks;
    if (a_.ranks != b_.ranks || same_program()) return out_;
    for (std::uint64_t rank = 0; rank < a_.ranks; ++rank) {
      out_.differing_ranks += !compare_rank(rank);
      if (out_.damaged_a || out_.damaged_b) return out_;
    }
    for (std::size_t f = 0; f < counts_.size(); ++f) {
      if (counts_[f].a || counts_[f].b)
        out_.functions[std::string(trace::functions()[f].name)] = counts_[f];
    }
    return out_;
  }

 private:
  void number_places(const Trace& t, std::size_t returned,
                     std::map<std::string, std::uint32_t>& known,
                     std::vector<std::uint32_t>& out) const {
    for (const trace::Call& c : t.calls) {
      std::string place = ignored_.callpaths ? std::string() : trace::full_path(t, c.callpath);
      // One that returned is never equal to one that did not.
      if (out.size() >= returned) place += '\n';
      out.push_back(known.emplace(place, static_cast<std::uint32_t>(known.size())).first->second);
    }
  }

  // The same tree with the same values expands to the same calls. Cost: O(nodes).
  bool same_program() const {
    if (a_.threads != b_.threads || a_.calls.size() != b_.calls.size()) return false;
    for (std::size_t c = 0; c < a_.calls.size(); ++c) {
      if (!same_call(c)) return false;
    }
    return same_item(a_.root, b_.root);
  }

  bool same_call(std::size_t index) const {
    const trace::Call &a = a_.calls[index], &b = b_.calls[index];
    if (a.function != b.function || places_a_[index] != places_b_[index]) return false;
    const std::vector<char>& mask = masks_[static_cast<std::size_t>(a.function)];
    const std::size_t scalars = trace::function(a.function).scalars.size();
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      const std::size_t column = c < scalars ? c : scalars + (c - scalars) / 2;
      if (mask[column] && a.columns[c] != b.columns[c]) return false;
    }
    return true;
  }

  static bool same_item(const trace::Item& a, const trace::Item& b) {
    return a.call == b.call && a.trips == b.trips && std::ranges::equal(a.body, b.body, same_item);
  }

  bool compare_rank(std::uint64_t rank) {
    const std::uint64_t threads = std::max(a_.threads, b_.threads);
    std::vector<std::uint64_t> partner(threads);
    for (std::uint64_t t = 0; t < threads; ++t) partner[t] = t;
    if (ignored_.threads && threads > 1) pair_threads(rank, partner);
    bool same = true;
    for (std::uint64_t t = 0; t < threads; ++t) same &= compare_stream(rank, {t, partner[t]});
    return same;
  }

  // Threads that did the same are partners, whatever their numbers.
  void pair_threads(std::uint64_t rank, std::vector<std::uint64_t>& partner) {
    std::vector<std::uint64_t> in_a, in_b;
    for (std::uint64_t t = 0; t < partner.size(); ++t) {
      in_a.push_back(t < a_.threads ? hash_stream(a_, rank * a_.threads + t, places_a_) : 0);
      in_b.push_back(t < b_.threads ? hash_stream(b_, rank * b_.threads + t, places_b_) : 0);
    }
    for (std::size_t t = 0; t < partner.size(); ++t) {
      for (std::size_t u = t; u < partner.size(); ++u) {
        if (in_a[t] != in_b[partner[u]]) continue;
        std::swap(partner[t], partner[u]);
        break;
      }
    }
  }

  std::uint64_t hash_stream(const Trace& t, std::uint64_t stream,
                            const std::vector<std::uint32_t>& places) const {
    std::uint64_t hash = 0;
    Ahead calls(&t, stream, !ignored_.handles);
    while (const Event* e = calls.take()) hash = combine(hash, sight(t, *e, places).contents);
    return hash;
  }

  Sight sight(const Trace& t, const Event& e, const std::vector<std::uint32_t>& places) const {
    const std::uint64_t identity = hash_text(e.function->name);
    std::uint64_t hash = combine(identity, places[e.call]);
    const std::vector<char>& mask = masks_[static_cast<std::size_t>(t.calls[e.call].function)];
    for (std::size_t c = 0; c < e.scalars.size(); ++c) {
      if (mask[c]) hash = combine(hash, static_cast<std::uint64_t>(e.scalars[c]));
    }
    for (std::size_t l = 0; l < e.lists.size(); ++l) {
      if (!mask[e.scalars.size() + l]) continue;
      hash = combine(hash, hash_bytes(e.lists[l].data(), e.lists[l].size() * sizeof(std::int64_t)));
    }
    return {identity, hash};
  }

  struct Threads {
    std::uint64_t a, b;
  };
  bool compare_stream(std::uint64_t rank, Threads t) {
    Ahead a(t.a < a_.threads ? &a_ : nullptr, rank * a_.threads + t.a, !ignored_.handles);
    Ahead b(t.b < b_.threads ? &b_ : nullptr, rank * b_.threads + t.b, !ignored_.handles);
    bool same = true;
    for (std::uint64_t position = 0;; ++position) {
      const Event* x = a.take();
      const Event* y = b.take();
      if (!x && !y) break;
      if (x && y && equal(*x, *y)) {
        count(x, y);
        continue;
      }
      if (!out_.first) out_.first = difference({rank, t.a, position, {}, {}, {}, {}, {}}, x, y);
      same = false;
      if (x) a.put_back(*x);
      if (y) b.put_back(*y);
      position += catch_up(a, b);
    }
    out_.damaged_a |= a.damaged();
    out_.damaged_b |= b.damaged();
    return same;
  }

  // Passes what differs. Returns the calls of `a` among it, less one.
  std::uint64_t catch_up(Ahead& a, Ahead& b) {
    Passed p;
    for (const std::size_t window : kWindows) {
      if (!p.agrees)
        p = align(sights(a_, a, places_a_, window), sights(b_, b, places_b_, window), window);
    }
    for (std::size_t k = 0; k < p.a; ++k) count(a.take(), nullptr);
    for (std::size_t k = 0; k < p.b; ++k) count(nullptr, b.take());
    out_.changed += p.changed;
    out_.only_a += p.only_a;
    out_.only_b += p.only_b;
    return p.a - 1;
  }

  std::vector<Sight> sights(const Trace& t, Ahead& calls, const std::vector<std::uint32_t>& places,
                            std::size_t window) const {
    std::vector<Sight> out;
    while (out.size() < window + kAgreement) {
      const Event* e = calls.at(out.size());
      if (!e) break;
      out.push_back(sight(t, *e, places));
    }
    return out;
  }

  // Whether a scalar says what both send to or receive from MPI_PROC_NULL, and that is ignored.
  bool is_of_proc_null(const Event& x, const Event& y, std::size_t scalar) const {
    return ignored_.proc_null &&
           std::ranges::any_of(x.function->payloads, [&](const trace::Payload& p) {
             const auto peer = static_cast<std::size_t>(p.peer);
             const int at = static_cast<int>(scalar);
             const bool is_about_it = at == p.buffer ||
                                      (at == p.count && p.blocks != trace::Blocks::listed) ||
                                      (at == p.datatype && !p.typed_each);
             return p.peer >= 0 && is_about_it && x.scalars[peer] == trace::kProcNull &&
                    y.scalars[peer] == trace::kProcNull;
           });
  }

  bool equal(const Event& x, const Event& y) const {
    if (x.function != y.function || places_a_[x.call] != places_b_[y.call]) return false;
    const std::vector<char>& mask = masks_[static_cast<std::size_t>(a_.calls[x.call].function)];
    for (std::size_t c = 0; c < x.scalars.size(); ++c) {
      if (x.scalars[c] != y.scalars[c] && mask[c] && !is_of_proc_null(x, y, c)) return false;
    }
    for (std::size_t l = 0; l < x.lists.size(); ++l) {
      if (x.lists[l] != y.lists[l] && mask[x.scalars.size() + l]) return false;
    }
    return true;
  }

  void count(const Event* x, const Event* y) {
    if (x) ++counts_[static_cast<std::size_t>(a_.calls[x->call].function)].a;
    if (y) ++counts_[static_cast<std::size_t>(b_.calls[y->call].function)].b;
  }

  static const char* end_of(std::uint32_t call, std::size_t returned) {
    return call < returned ? "" : " # had not returned";
  }

  // `d` says where it is.
  FirstDifference difference(FirstDifference d, const Event* x, const Event* y) const {
    if (x) {
      d.a = describe_event(*x, Texts::quoted) + end_of(x->call, returned_a_);
      d.place_a = trace::full_path(a_, a_.calls[x->call].callpath);
    }
    if (y) {
      d.b = describe_event(*y, Texts::quoted) + end_of(y->call, returned_b_);
      d.place_b = trace::full_path(b_, b_.calls[y->call].callpath);
    }
    if (!x || !y || x->function != y->function) return d;
    const std::vector<char>& mask = masks_[static_cast<std::size_t>(a_.calls[x->call].function)];
    for (std::size_t c = 0; c < x->scalars.size(); ++c) {
      if (x->scalars[c] != y->scalars[c] && mask[c] && !is_of_proc_null(*x, *y, c))
        d.columns.emplace_back(x->function->scalars[c].name);
    }
    for (std::size_t l = 0; l < x->lists.size(); ++l) {
      if (x->lists[l] != y->lists[l] && mask[x->scalars.size() + l])
        d.columns.emplace_back(x->function->lists[l].name);
    }
    if ((x->call < returned_a_) != (y->call < returned_b_)) {
      d.columns.emplace_back("whether it returned");
    } else if (places_a_[x->call] != places_b_[y->call]) {
      d.columns.emplace_back("callpath");
    }
    return d;
  }

  const Trace& a_;
  const Trace& b_;
  const std::size_t returned_a_, returned_b_;
  const Ignored& ignored_;
  std::vector<std::vector<char>> masks_;            // by function: scalars, then lists to look at
  std::vector<std::uint32_t> places_a_, places_b_;  // by call; equal numbers are equal call paths
  std::vector<CallCounts> counts_;                  // by function
  Comparison out_;
};

}  // namespace

bool Ignored::add(const std::string& word) {
  if (word == "times") return true;
  if (word == "callpaths") return callpaths = true;
  if (word == "threads") return threads = true;
  if (word == "handles") return handles = true;
  if (word == "matches") return matches = true;
  if (word == "proc_null") return proc_null = true;
  const auto has = [&](const trace::Function& f) {
    const auto is_meant = [&](const Column& c) { return c.name == word; };
    return std::ranges::any_of(f.scalars, is_meant) || std::ranges::any_of(f.lists, is_meant);
  };
  if (!std::ranges::any_of(trace::functions(), has)) return false;
  columns.insert(word);
  return true;
}

bool Ignored::keeps(const trace::Function& function, const Column& column) const {
  if (columns.contains(column.name)) return false;
  if (!matches) return true;
  // A function that completes one request of several says which; those that it chooses from are
  // what earlier ones have left.
  const bool chooses = function.completed >= 0;
  const auto says_which = [&] {
    return column.name == function.scalars[static_cast<std::size_t>(function.completed)].name;
  };
  const bool follows = column.kind == trace::Kind::request || (chooses && says_which());
  return !column.name.starts_with("matched_") && !(chooses && follows);
}

Comparison compare(const Trace& a, const Trace& b, const Ignored& ignored) {
  const bool is_whole = !trace::unfinished_of(a) && !trace::unfinished_of(b);
  if (is_whole) return Comparer(a, a.calls.size(), b, b.calls.size(), ignored).compare();
  return Comparer(trace::with_unfinished(a), a.calls.size(), trace::with_unfinished(b),
                  b.calls.size(), ignored)
      .compare();
}

}  // namespace reprise::analyze
