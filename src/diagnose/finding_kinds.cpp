#include "diagnose/finding_kinds.hpp"

#include <algorithm>

namespace reprise::diagnose {
namespace {

constexpr std::string_view kCostOfDelay =
    "The run is simulated again with the computation that caused the delay as short as the ranks "
    "that wait allow for; the cost is the difference of the two times.";

constexpr std::array<FindingText, kFindingKinds> kTexts = {{
    {"late-sender", "late sender",
     "A receive, or the wait for one, blocks before the message has been sent. The time counts "
     "from "
     "when the rank begins to wait until the message is under way; the flight of the message is "
     "not part of it. (Scalasca: Late Sender)",
     kCostOfDelay,
     "Shorten or move the computation before the send, or give the receiver work to do before it "
     "waits."},
    {"late-receiver", "late receiver",
     "A send above the eager threshold, or the wait for one, blocks until its receive is posted. "
     "(Scalasca: Late Receiver)",
     kCostOfDelay,
     "Post the receive before the computation (MPI_Irecv), or send with MPI_Isend and wait later."},
    {"early-reduce", "early reduce",
     "A rank that takes in data of others, the root of MPI_Reduce or MPI_Gather or an inner node "
     "of "
     "their tree, waits for ranks that have not come yet. Scalasca's Early Reduce ends when the "
     "first sender comes; here it ends when the last needed one does.",
     kCostOfDelay,
     "Give the root more of the work, let it do something else first, or use MPI_Ireduce."},
    {"late-broadcast", "late broadcast",
     "Ranks that get data from a root, in MPI_Bcast or MPI_Scatter, wait for the root to come. "
     "(Scalasca: Late Broadcast)",
     kCostOfDelay, "Let the root broadcast before it computes, or use MPI_Ibcast."},
    {"wait-at-barrier", "wait at barrier",
     "Ranks wait in MPI_Barrier for the last one to come. (Scalasca: Wait at Barrier)",
     kCostOfDelay,
     "Even out the computation before the barrier, or remove the barrier if nothing relies on it."},
    {"wait-at-nxn", "wait at N x N",
     "Ranks wait in a collective in which all get data of all (MPI_Allreduce, MPI_Alltoall, "
     "MPI_Allgather and their kin, and calls that make communicators, windows and files) for the "
     "last one to come. (Scalasca: Wait at N x N)",
     kCostOfDelay,
     "Even out the computation before the collective, or use its non-blocking form and overlap."},
    {"early-scan", "early scan",
     "A rank waits in MPI_Scan or MPI_Exscan for a rank before it. (Scalasca: Early Scan)",
     kCostOfDelay, "Even out the computation before the scan."},
    {"wait-at-window", "wait at window",
     "A rank waits in a fence, an epoch or a lock of one-sided communication for others. "
     "(Scalasca: "
     "Wait at Fence, Early Wait, Lock Contention)",
     kCostOfDelay, "Even out the computation in the epoch, or use finer synchronization."},
    {"imbalance", "load imbalance",
     "Ranks that make the same call compute for different times before it. Where a minority is "
     "slower than the rest the excess is what it computes beyond the mean of the rest; otherwise "
     "what the slowest computes beyond the mean of all.",
     "The run is simulated again with the slower ranks as fast as the mean of the rest, or, where "
     "no minority stands out, with all ranks at the mean.",
     "Give the slower ranks less work, or look for why they are slower (placement, frequency, "
     "input)."},
    {"long-executions", "single long executions",
     "Ranks compute longer than others before a call, but in few executions: one in fifty at most, "
     "or a single one, make up half of the difference. Unless the trace keeps which ones, their "
     "time is spread evenly over all executions of the rank in the simulated run.",
     "The run is simulated with the computation before this call drawn from the recorded "
     "distribution, and again with these executions as short as the others of their rank; the cost "
     "is the difference of the two times.",
     "Look for what happens there once or now and then: work that depends on data, first use of "
     "memory, files, output, other programs on the node (under SMPI, on the machine that "
     "simulates)."},
    {"serial-phase", "serial phase",
     "One rank computes while at least half of the others wait for it and compute nothing there.",
     "The run is simulated again without the part of this computation that others wait for.",
     "Parallelize the computation, or overlap it with work of the other ranks."},
    {"drift", "drift over iterations",
     "The computation before a call gets longer (or shorter) from each quarter of its executions "
     "to "
     "the next, by a tenth or more in all, as far as the trace keeps the order of its times.",
     "The run is simulated again with all executions at the level of the shorter end, by a "
     "straight "
     "line through them.",
     "Look for data structures that grow, memory that fragments, or a mesh that refines: compare a "
     "profile of the first iterations with one of the last."},
    {"receiver-contention", "contention for one receiver",
     "A rank receives the messages of a call from at least half of the other ranks, and at least "
     "three times the bytes of them that ranks receive in the median: they pass its interface one "
     "after the other.",
     "The time on a machine whose ranks take one message at a time, less that on one where "
     "messages "
     "do not delay each other.",
     "Use a collective (MPI_Gather, MPI_Reduce), a tree, or several receivers."},
    {"serialized-fan-out", "serialized fan-out",
     "A rank sends messages in a call to at least half of the other ranks, and at least three "
     "times "
     "the bytes that ranks send there in the median: they leave its interface one after the other.",
     "The time on a machine whose ranks send one message at a time, less that on one where "
     "messages do not delay each other.",
     "Use a collective (MPI_Bcast, MPI_Scatter) or a tree."},
    {"bad-mapping", "bad mapping of ranks to nodes",
     "Ranks that send each other much lie on different nodes, and another mapping of as many ranks "
     "to a node keeps more of the traffic within nodes.",
     "The run is simulated again with a mapping that puts pairs of ranks together, those with the "
     "most time to gain first.",
     "Reorder the ranks (a rank file, MPI_Cart_create with reorder, --map-by)."},
    {"needless-barrier", "needless barrier",
     "MPI_Barrier stands right before or after a call that makes all ranks of the same "
     "communicator "
     "wait for each other anyway.",
     "What the messages of the barrier have on the critical path: an upper bound.",
     "Remove the barrier."},
    {"variation", "computation that varies between executions",
     "Computation before a call takes longer in some executions than in others, on each rank at "
     "other times: where ranks wait for each other, each step takes as long as the slowest of "
     "them. Drift, and patterns that the trace keeps, do not count.",
     "The run is simulated again with all computation drawn from the recorded distributions "
     "instead of their means; the cost is how much longer that takes, and a share is that of the "
     "longer run. The call is the one for which this costs most by itself, among the three that "
     "vary most.",
     "Look for what interrupts the ranks (other programs, more ranks than cores, the operating "
     "system; under SMPI, which measures computation, the machine that simulates), or for work "
     "that depends on data."},
    {"latency", "latency of messages",
     "Latency of messages is on the critical path: no computation hides it. Found where it costs a "
     "tenth of the time or more.",
     "The run is simulated again without latency.",
     "Send fewer and larger messages, start them earlier, so that computation hides them, or use "
     "fewer ranks, which compute longer between messages."},
    {"bandwidth", "bytes of messages",
     "The bytes of messages are on the critical path: no computation hides them. Found where they "
     "cost a tenth of the time or more.",
     "The run is simulated again with unlimited bandwidth.",
     "Send less, or start messages earlier, so that computation hides them."},
}};

}  // namespace

const FindingText& text_of(FindingKind kind) { return kTexts[static_cast<std::size_t>(kind)]; }

bool is_of_run(FindingKind kind) {
  return kind == FindingKind::variation || kind == FindingKind::latency ||
         kind == FindingKind::bandwidth;
}

std::optional<FindingKind> find_finding(std::string_view id) {
  const auto found = std::ranges::find(kTexts, id, &FindingText::id);
  if (found == kTexts.end()) return std::nullopt;
  return static_cast<FindingKind>(found - kTexts.begin());
}

FindingKind kind_of(simulate::WaitState state) {
  static_assert(static_cast<int>(FindingKind::wait_at_window) ==
                static_cast<int>(simulate::WaitState::wait_at_window));
  return static_cast<FindingKind>(state);
}

}  // namespace reprise::diagnose
