// The resources for which messages between nodes compete, as in Dimemas: output links, input links
// and buses. A transfer takes an output link of its sender's node, then an input link of its
// receiver's, then a bus, each first come, first served, and holds all of them until its last byte
// has left.
//
// Where one of the two numbers of links is 0 and the other is not, links are half-duplex: a node
// has so many, each for one transfer at a time, in or out. A transfer that has an output link but
// waits for an input link lends the former to one that needs nothing else; it is then the first to
// get another one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

// `C` is the clock: a transfer that waited starts when what it waited for was given back.
template <class C>
class LinksAndBuses {
 public:
  struct Start {
    std::uint32_t message;
    C when;
  };

  explicit LinksAndBuses(const Machine& machine)
      : has_links_(machine.input_links > 0 || machine.output_links > 0),
        is_half_duplex_((machine.input_links > 0) != (machine.output_links > 0)),
        out_limit_(is_half_duplex_ ? std::max(machine.input_links, machine.output_links)
                                   : machine.output_links),
        in_limit_(machine.input_links),
        all_buses_(machine.buses),
        buses_(machine.buses),
        has_buses_(machine.buses > 0) {}

  // A message from one node to another may start at `ready`. Those that start now are appended.
  void ask(std::uint32_t message, std::uint32_t from, std::uint32_t to, C ready,
           std::vector<Start>& starting) {
    transfers_[message] = {from, to, std::move(ready), false, false};
    advance(message, starting);
  }

  // A collective asks for all buses. REQUIRES: there are buses.
  void ask_all(std::uint32_t collective, C ready, std::vector<Start>& starting) {
    alls_[collective] = {std::move(ready), 0};
    for_bus_.push_back(collective);
    // It takes those that are free, and is first in line for the others where no transfer waits.
    const bool is_first = for_bus_.size() == 1;
    if (is_first) serve_all(collective, starting);
  }

  // A collective has ended; those that start now are appended.
  void end_all(const C& when, std::vector<Start>& starting) {
    now_ = &when;
    buses_ = all_buses_;
    for (std::size_t left = for_bus_.size(); left > 0 && buses_ > 0 && !for_bus_.empty(); --left)
      serve_first(starting);
    now_ = nullptr;
  }

  // A transfer has ended; those that start now are appended.
  void end(std::uint32_t message, const C& when, std::vector<Start>& starting) {
    const Transfer over = transfers_.at(message);
    transfers_.erase(message);
    now_ = &when;
    if (has_links_) {
      give_back(nodes_[over.from], message, true, starting);
      give_back(nodes_[over.to], message, false, starting);
    }
    if (has_buses_) {
      ++buses_;
      if (!for_bus_.empty()) serve_first(starting);
    }
    now_ = nullptr;
  }

 private:
  struct Transfer {
    std::uint32_t from, to;  // nodes
    C ready;
    bool has_out, has_in;
  };
  // A collective that gathers all buses.
  struct All {
    C ready;
    std::int64_t has;
  };
  struct Link {
    std::uint32_t holder;
    bool is_out;  // of the holder's transfer
  };
  struct Node {
    std::int64_t out_taken = 0, in_taken = 0;  // half-duplex: out_taken has both
    std::vector<Link> out_links;               // that are taken, the first taken first
    std::deque<std::uint32_t> for_out, for_in;
  };

  static std::uint32_t take_first(std::deque<std::uint32_t>& queue) {
    const std::uint32_t first = queue.front();
    queue.pop_front();
    return first;
  }

  bool has_free_out(const Node& n) const { return n.out_taken < out_limit_; }
  bool has_free_in(const Node& n) const {
    return is_half_duplex_ ? has_free_out(n) : n.in_taken < in_limit_;
  }

  // An output link whose transfer waits for an input link.
  std::vector<Link>::iterator borrowable(Node& n) {
    return std::ranges::find_if(n.out_links, [&](const Link& link) {
      return link.is_out && !transfers_.at(link.holder).has_in;
    });
  }

  void borrow(Node& n, std::uint32_t borrower, bool is_out) {
    const auto link = borrowable(n);
    const std::uint32_t lender = link->holder;
    *link = {borrower, is_out};
    transfers_.at(lender).has_out = false;
    std::erase(nodes_[transfers_.at(lender).to].for_in, lender);
    n.for_out.push_front(lender);
  }

  // Takes what it still needs, or waits.
  void advance(std::uint32_t message, std::vector<Start>& starting) {
    Transfer& t = transfers_.at(message);
    if (has_links_ && !take_links(message, t)) return;
    if (has_buses_) {
      if (buses_ <= 0) {
        for_bus_.push_back(message);
        return;
      }
      --buses_;
    }
    if (now_) t.ready.raise(*now_);
    starting.push_back({message, t.ready});
  }

  bool take_links(std::uint32_t message, Transfer& t) {
    Node &from = nodes_[t.from], &to = nodes_[t.to];
    bool borrows_out = false;
    if (!t.has_out) {
      if (has_free_out(from)) {
        ++from.out_taken;
        from.out_links.push_back({message, true});
        t.has_out = true;
      } else if (borrowable(from) != from.out_links.end()) {
        borrows_out = true;
      } else {
        from.for_out.push_back(message);
        return false;
      }
    }
    if (t.has_in) return true;
    const bool is_free = has_free_in(to);
    if (!is_free && !(is_half_duplex_ && borrowable(to) != to.out_links.end())) {
      (borrows_out ? from.for_out : to.for_in).push_back(message);
      return false;
    }
    if (borrows_out) {
      borrow(from, message, true);
      t.has_out = true;
    }
    if (!is_free) {
      borrow(to, message, false);
    } else if (is_half_duplex_) {
      ++to.out_taken;
      to.out_links.push_back({message, false});
    } else {
      ++to.in_taken;
    }
    t.has_in = true;
    return true;
  }

  // To the first that waits for a bus.
  void serve_first(std::vector<Start>& starting) {
    const std::uint32_t first = for_bus_.front();
    if (alls_.contains(first)) return serve_all(first, starting);
    for_bus_.pop_front();
    advance(first, starting);
  }

  // REQUIRES: it is the first in line.
  void serve_all(std::uint32_t collective, std::vector<Start>& starting) {
    All& all = alls_.at(collective);
    all.has += std::exchange(buses_, 0);
    if (all.has < all_buses_) return;
    if (now_) all.ready.raise(*now_);
    starting.push_back({collective, all.ready});
    alls_.erase(collective);
    for_bus_.pop_front();
  }

  void give_back(Node& n, std::uint32_t message, bool is_out, std::vector<Start>& starting) {
    if (is_out || is_half_duplex_) {
      const auto link = std::ranges::find_if(
          n.out_links, [&](const Link& l) { return l.holder == message && l.is_out == is_out; });
      n.out_links.erase(link);
      --n.out_taken;
    } else {
      --n.in_taken;
    }
    // The other direction first, where a link is for both.
    if (is_half_duplex_) wake(is_out ? n.for_in : n.for_out, starting);
    wake(is_out ? n.for_out : n.for_in, starting);
  }

  void wake(std::deque<std::uint32_t>& queue, std::vector<Start>& starting) {
    if (!queue.empty()) advance(take_first(queue), starting);
  }

  const bool has_links_, is_half_duplex_;
  const std::int64_t out_limit_, in_limit_;
  const std::int64_t all_buses_;
  std::int64_t buses_;  // that are free
  const bool has_buses_;
  std::unordered_map<std::uint32_t, Transfer> transfers_;
  std::unordered_map<std::uint32_t, All> alls_;
  std::unordered_map<std::uint32_t, Node> nodes_;
  std::deque<std::uint32_t> for_bus_;
  const C* now_ = nullptr;  // when the transfer ended that others start behind
};

}  // namespace reprise::simulate
