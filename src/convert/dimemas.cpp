#include "convert/dimemas.hpp"

#include <algorithm>
#include <optional>

#include "base/escape.hpp"

namespace reprise::convert {
namespace {

constexpr int kWorld = 1;              // of messages
constexpr int kFirstCommunicator = 2;  // of meetings
constexpr int kOffsetDigits = 20;      // of the table's place, which is known when all is written

// Messages of one tag overtake each other in Dimemas, which MPI does not let them do. So the tag is
// the number of the message among those of its pair of tasks; 3121 and 49370 on are for
// accelerators.
constexpr std::uint64_t kTags = 3000;

// The last fields of records.
enum Sending : int { kSend = 0, kSendSynchronous = 1, kImmediate = 2 };
enum Receiving : int { kReceive = 0, kIrecv = 1, kWait = 2 };

// Dimemas's numbers of collectives.
int number_of(std::uint8_t kind) {
  if (kind == Step::kMaking) return kMakingAs;
  if (kind == Step::kFree) return kFreeAs;
  return dimemas_number_of(static_cast<simulate::Collective>(kind));
}

class Task {
 public:
  // REQUIRES: both outlive it.
  Task(const Steps& steps, std::uint64_t rank, TextFile& out)
      : steps_(steps, rank), rank_(rank), out_(out) {}

  void write() {
    // Every task begins with a burst.
    if (!steps_.has(0) || steps_.at(0).what != Step::Do::compute) burst(0);
    for (std::uint64_t i = 0; steps_.has(i);) {
      const Step s = steps_.at(i);
      if (s.what == Step::Do::compute) {
        burst(s.span);
      } else if (s.what == Step::Do::meet) {
        out_.line("10:{}:0:{}:{}:{}:0:{}:{}", rank_, number_of(s.kind), kFirstCommunicator + s.peer,
                  s.is_root ? 1 : 0, s.bytes, s.received);
      } else if (s.is_blocking) {
        if (s.what == Step::Do::send) send(s, kSend);
        if (s.what == Step::Do::receive) receive(s, kReceive);
      } else {
        i = write_exchange(i);
        continue;
      }
      ++i;
    }
  }

 private:
  void burst(std::int64_t ns) { out_.line("1:{}:0:{:.9f}", rank_, static_cast<double>(ns) * 1e-9); }
  void send(const Step& s, int how) {
    out_.line("2:{}:0:{}:-1:{}:{}:{}:{}", rank_, s.peer, s.bytes, s.number % kTags, kWorld,
              how | (s.is_synchronous ? kSendSynchronous : 0));
  }
  void receive(const Step& s, int how) {
    out_.line("3:{}:0:{}:-1:{}:{}:{}:{}", rank_, s.peer, s.bytes, s.number % kTags, kWorld, how);
  }

  // Dimemas knows no wait for a send. Of sends that begin together and are waited for at once, the
  // last is written as one that blocks, behind all receives, so that what waits for them is kept.
  // Returns where the steps behind begin.
  std::uint64_t write_exchange(std::uint64_t begin) {
    const auto is_begun = [](const Step& s) {
      return (s.what == Step::Do::send || s.what == Step::Do::receive) && !s.is_blocking;
    };
    std::uint64_t end = begin;
    std::vector<Step> sends, waits;
    std::vector<std::uint64_t> places;  // of the sends
    for (; steps_.has(end) && is_begun(steps_.at(end)); ++end) {
      const Step s = steps_.at(end);
      if (s.what == Step::Do::receive) receive(s, kIrecv);
      if (s.what != Step::Do::send) continue;
      sends.push_back(s);
      places.push_back(end);
    }
    std::optional<std::uint64_t> last;  // the send that blocks
    for (; steps_.has(end) && steps_.at(end).what == Step::Do::wait; ++end) {
      const Step s = steps_.at(end);
      if (!s.is_of_send) waits.push_back(s);
      if (s.is_of_send && s.operation >= begin) last = std::max(last.value_or(0), s.operation);
    }
    std::optional<Step> blocks;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (places[i] == last) {
        blocks = sends[i];
      } else {
        send(sends[i], kImmediate);
      }
    }
    if (blocks) send(*blocks, kSend);
    for (const Step& s : waits) receive(s, kWait);
    return end;
  }

  Steps::Reader steps_;
  const std::uint64_t rank_;
  TextFile& out_;
};

std::string members_of(std::uint64_t ranks) {
  std::string out;
  for (std::uint64_t r = 0; r < ranks; ++r) out += fmt::format(":{}", r);
  return out;
}

}  // namespace

int dimemas_number_of(simulate::Collective kind) {
  using enum simulate::Collective;
  switch (kind) {
    case barrier: return 0;
    case bcast: return 1;
    case gather: return 2;
    case scatter: return 4;
    case allgather: return 6;
    case allgatherv: return 7;
    case alltoall: return 8;
    case alltoallv: return 9;
    case alltoallw: return 15;
    case reduce: return kReduceAs;
    case allreduce: return 11;
    case reduce_scatter: return 12;
    case scan: return 14;
  }
  return 0;
}

void write_dimemas(const Steps& steps, const std::string& name, TextFile& out,
                   const RanksWritten& progress) {
  std::string threads;
  for (std::uint64_t r = 0; r < steps.ranks(); ++r) threads += r ? ",1" : "1";
  // Dimemas takes no empty name.
  const std::string start =
      fmt::format("#DIMEMAS:{}:1,", dimemas_string(name.empty() ? "trace" : name));
  out.line("{}{:0{}}:{}({}),{}", start, 0, kOffsetDigits, steps.ranks(), threads,
           1 + steps.communicators.size());
  out.line("d:1:{}:{}{}", kWorld, steps.ranks(), members_of(steps.ranks()));
  for (std::size_t c = 0; c < steps.communicators.size(); ++c) {
    const std::vector<std::uint32_t>& members = steps.communicators[c];
    out.line("d:1:{}:{}:{}", kFirstCommunicator + c, members.size(), fmt::join(members, ":"));
  }
  std::vector<std::uint64_t> begins;
  for (std::uint64_t r = 0; r < steps.ranks(); ++r) {
    begins.push_back(out.size());
    Task(steps, r, out).write();
    if (progress) progress(r);
  }
  out.overwrite(start.size(), fmt::format("{:0{}}", out.size(), kOffsetDigits));
  for (std::uint64_t r = 0; r < steps.ranks(); ++r) out.line("s:{}:{}", r, begins[r]);
}

}  // namespace reprise::convert
