#include "extrapolate/verify/messages.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "extrapolate/verify/message_walk.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using End = Message::End;

constexpr std::uint64_t kMostKept = std::uint64_t{1} << 19;  // messages that are kept at a time
constexpr std::uint64_t kMostShares = 64;                    // walks that they are shared among

// Sums that do not depend on the order, and are 0 if sends and receives are the same ones.
struct Balance {
  std::uint64_t messages = 0, bytes = 0, count = 0;
  bool is_plain = true;  // no wildcards, and all sizes are known

  void add(const Message& m) {
    ++count;
    is_plain = is_plain && m.source >= 0 && m.tag != trace::kAnyTag && m.bytes.is_known();
    const auto pair = reprise::combine(
        m.part,
        reprise::combine(static_cast<std::uint64_t>(m.source), static_cast<std::uint64_t>(m.dest)));
    const std::uint64_t key = reprise::combine(pair, static_cast<std::uint64_t>(m.tag));
    const std::uint64_t times = m.end == End::sent ? m.times : 0 - m.times;
    messages += key * times;
    bytes += mix(key) * static_cast<std::uint64_t>(m.bytes.value_or(0)) * times;
  }

  bool is_even() const { return is_plain && messages == 0 && bytes == 0; }
};

// What goes to one rank of a communicator from one source with one tag.
struct Stream {
  std::uint64_t sent = 0, received = 0;  // messages
  mpi::Bytes sent_bytes, room_bytes;     // of all of them
  std::int64_t largest = 0, largest_room = 0;
  std::int64_t sender = -1;  // in MPI_COMM_WORLD, once one is seen
  Findings::Calls calls;

  void add(const Message& m) {
    const bool is_sent = m.end == End::sent;
    (is_sent ? sent : received) += m.times;
    mpi::Bytes& all = is_sent ? sent_bytes : room_bytes;
    all += m.bytes * static_cast<std::int64_t>(m.times);
    std::int64_t& most = is_sent ? largest : largest_room;
    most = std::max(most, m.bytes.value_or(0));
    if (is_sent) sender = m.rank;
    if (calls.size() < 4) calls.insert(m.call);
  }
};

using Key = std::pair<std::int64_t, std::int64_t>;  // source and tag

// All that one rank of a communicator is sent and receives.
struct Inbox {
  std::int64_t owner = -1;  // in MPI_COMM_WORLD, once one of its receives is seen
  std::map<Key, Stream> streams;

  std::string owner_text(std::int64_t dest) const {
    return owner >= 0 ? "rank " + std::to_string(owner)
                      : "rank " + std::to_string(dest) + " of a communicator";
  }
};

std::string times_text(std::uint64_t n) {
  return std::to_string(n) + (n == 1 ? " message" : " messages");
}

std::string tag_text(std::int64_t tag) {
  return tag == trace::kAnyTag ? "any tag" : "tag " + std::to_string(tag);
}

std::string source_text(std::int64_t source) {
  return source == trace::kAnySource ? "any source" : "rank " + std::to_string(source);
}

class InboxCheck {
 public:
  InboxCheck(std::int64_t dest, const Inbox& inbox, Findings& findings)
      : who_(inbox.owner_text(dest)), inbox_(inbox), findings_(findings) {
    for (const auto& [key, s] : inbox.streams) {
      if (key.first == trace::kAnySource || key.second == trace::kAnyTag) wild_.push_back(key);
    }
  }

  void run() {
    for (const auto& [key, s] : inbox_.streams) {
      const auto [source, tag] = key;
      if (source == trace::kAnySource || tag == trace::kAnyTag) {
        wildcard(source, tag, s);
      } else {
        exact(source, tag, s);
      }
    }
    if (!wild_.empty()) total();
  }

 private:
  bool has_wildcard_for(std::int64_t source, std::int64_t tag) const {
    return std::ranges::any_of(wild_, [&](const auto& w) {
      return (w.first == source || w.first == trace::kAnySource) &&
             (w.second == tag || w.second == trace::kAnyTag);
    });
  }

  void exact(std::int64_t source, std::int64_t tag, const Stream& s) {
    const bool more = s.received > s.sent;
    if (more || (s.received < s.sent && !has_wildcard_for(source, tag))) {
      uneven(s.calls, "is sent " + times_text(s.sent) + " with " + tag_text(tag) + " by " +
                          source_text(source) + " and receives " + std::to_string(s.received));
      return;
    }
    if (!s.sent_bytes.is_known() || !s.room_bytes.is_known() || s.sent != s.received) return;
    const std::int64_t sent = s.sent_bytes.count(), room = s.room_bytes.count();
    if (sent > room || s.largest > s.largest_room) {
      findings_.contradict(Rule::sizes, s.calls,
                           who_ + " is sent " + std::to_string(sent) + " bytes with " +
                               tag_text(tag) + " by " + source_text(source) + " and has room for " +
                               std::to_string(room));
    }
  }

  // Such receives find enough that nobody else wants.
  void wildcard(std::int64_t source, std::int64_t tag, const Stream& wild) {
    std::uint64_t sent = 0, received = 0;
    Findings::Calls calls;
    for (const auto& [key, s] : inbox_.streams) {
      const auto [from, with] = key;
      const bool fits =
          (source == trace::kAnySource || from == source) && (tag == trace::kAnyTag || with == tag);
      if (!fits) continue;
      sent += s.sent;
      received += s.received;
      if (s.sent != s.received) calls.insert(s.calls.begin(), s.calls.end());
    }
    if (received > sent) {
      uneven(calls, "is sent " + times_text(sent) + " with " + tag_text(tag) + " by " +
                        source_text(source) + " and receives " + std::to_string(received) + ", " +
                        std::to_string(wild.received) + " with a wildcard");
    }
  }

  // Nothing is left over, either.
  void total() {
    std::uint64_t sent = 0, received = 0;
    Findings::Calls calls;
    for (const auto& [key, s] : inbox_.streams) {
      sent += s.sent;
      received += s.received;
      if (s.sent != s.received) calls.insert(s.calls.begin(), s.calls.end());
    }
    if (sent <= received) return;
    uneven(calls, "is sent " + times_text(sent) + " and receives " + std::to_string(received) +
                      ", wildcards among them");
  }

  void uneven(const Findings::Calls& calls, const std::string& what) {
    findings_.contradict(Rule::messages, calls, who_ + " " + what);
  }

  std::string who_;
  const Inbox& inbox_;
  Findings& findings_;
  std::vector<Key> wild_;  // keys with a wildcard
};

using Inboxes = std::map<std::pair<std::uint32_t, std::int64_t>, Inbox>;  // by part and rank in it

void keep(const Message& m, Inboxes& inboxes) {
  Inbox& inbox = inboxes[{m.part, m.dest}];
  if (m.end == End::received) inbox.owner = m.rank;
  inbox.streams[{m.source, m.tag}].add(m);
}

}  // namespace

void check_messages(const trace::Trace& trace, const Communicators& communicators,
                    const mpi::TypeSizes& types, Budget& budget, Findings& findings) {
  const auto too_many = [&] { findings.leave_out("messages (too many of them differ)"); };
  MessageWalk messages(trace, communicators, types, budget, findings);
  if (messages.is_empty()) return;
  Balance balance;
  if (!messages.walk([&](const Message& m) { balance.add(m); })) return too_many();
  if (balance.is_even()) return;
  const std::uint64_t shares = balance.count / kMostKept + 1;
  if (shares > kMostShares) return too_many();
  Findings known;  // a second walk finds the same again
  MessageWalk again(trace, communicators, types, budget, known);
  for (std::uint64_t share = 0; share < shares; ++share) {
    Inboxes inboxes;
    const bool whole = again.walk([&](const Message& m) {
      if (reprise::combine(m.part, static_cast<std::uint64_t>(m.dest)) % shares == share)
        keep(m, inboxes);
    });
    if (!whole) return too_many();
    for (const auto& [who, inbox] : inboxes) InboxCheck(who.second, inbox, findings).run();
  }
}

}  // namespace reprise::extrapolate
