// Makes the calls of one stream out of what a source recorded of them, and folds them.
//
// A source of events has regions that are entered and left, and in them records: a message was
// sent, a receive was posted, a request was completed. What a call was given is known only once all
// of its records are there, and of a receive that was posted only when it completes: calls wait in
// a queue, in order, until they are whole. Memory: the calls between a nonblocking call and its
// completion (at most kMostWaiting), beside what folding takes.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compress/fold/stream_folder.hpp"
#include "compress/times/time_folder.hpp"
#include "convert/import/collective.hpp"
#include "convert/import/communicators.hpp"

namespace reprise::convert {

using RequestKey = std::uint64_t;  // as the source names a request, while it is pending
// A request of which the source does not tell when it is completed.
inline constexpr RequestKey kUntoldRequest = ~RequestKey{0};

struct Message {
  std::int64_t peer = 0;  // rank in the communicator
  CommIndex comm = 0;
  std::int64_t tag = 0;
  std::uint64_t bytes = 0;
};

struct Collective {
  std::optional<trace::FunctionId> function;  // the blocking one; none: the source does not tell
  CommIndex comm = 0;
  std::int64_t root = 0;  // rank in the communicator; of no meaning without a root
  CollectiveBytes bytes;
};

// What was left out or changed, and how often; for the losses of the trace.
using LossCounts = std::map<std::string, std::uint64_t>;

class CallStream {
 public:
  // More calls than this never wait for one that is not whole.
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 18;

  // REQUIRES: all outlive it.
  CallStream(RankComms& comms, Creation creation, const compress::TimeOptions& times,
             LossCounts& losses);

  // Times are in ns since the trace began; where they decrease, no time has passed. `callpath`: a
  // number of the caller's.
  void enter_call(trace::FunctionId function, std::uint32_t callpath, std::int64_t time);
  void leave_call(std::int64_t time);
  bool is_in_call() const { return call_.has_value(); }

  // Records of the call that is open.
  void sent(const Message& message, std::optional<RequestKey> request);
  void received(const Message& message);
  void posted(RequestKey request);  // a receive, or a collective
  void completed_send(RequestKey request);
  void completed_receive(RequestKey request, const Message& message);
  void completed_collective(RequestKey request, const Collective& collective);
  void cancelled(RequestKey request);
  void collective(const Collective& collective);
  void made_comm(CommIndex comm);
  void made_comm_on(CommIndex parent);  // every process of the parent says so
  void freed_comm(CommIndex comm);

  // The stream, with its times. Nothing may be added afterwards.
  compress::FoldedStream finish();

  // A communicator was used before it was made in its place: import again with Creation::at_init.
  bool misses_comms() const { return misses_comms_; }
  // From the end of MPI_Init, or the begin of the trace, to the begin of MPI_Finalize, or the end
  // [ns].
  std::int64_t duration() const;

 private:
  struct Completion {
    RequestKey request;
    std::optional<Message> message;
    std::optional<Collective> collective;
    bool is_cancelled = false;
  };

  // What is known of the call that is open.
  struct OpenCall {
    trace::FunctionId function{};
    std::uint32_t callpath = 0;
    std::int64_t begin = 0;
    std::vector<std::pair<Message, std::optional<RequestKey>>> sent;
    std::vector<Message> received;
    std::vector<RequestKey> posted;
    std::vector<Completion> completed;
    std::optional<Collective> collective;
    std::vector<CommIndex> made, freed;
    std::optional<CommIndex> made_on;
  };

  struct QueuedCall {
    trace::Event event;
    std::uint32_t callpath = 0;
    compress::StepTimes times;
    bool is_whole = true;
  };

  static constexpr std::uint64_t kNoCall = ~std::uint64_t{0};

  // A request of the stream, the oldest first.
  struct PendingRequest {
    // None: to or from MPI_PROC_NULL, of which sources say nothing, or kUntoldRequest.
    std::optional<RequestKey> key;
    std::uint64_t call = kNoCall;  // that waits for it, by its number in the stream
    bool is_done = false;
  };

  void add_message_call(OpenCall& open);
  void add_started(OpenCall& open);
  void add_completions(OpenCall& open);
  void add_collective(OpenCall& open);
  void add_creation(OpenCall& open);
  void add_free(OpenCall& open);
  void add_from_records(OpenCall& open);
  void make_comms_at_init(std::uint32_t callpath);
  void lose(const OpenCall& open);

  QueuedCall& add(trace::FunctionId function, std::uint32_t callpath);
  void add_pending(std::optional<RequestKey> key, bool waits);
  std::int64_t number_of(CommIndex comm);
  std::optional<std::size_t> find_pending(RequestKey key) const;
  std::int64_t age_of(const Completion& completion);
  void resolve(const Completion& completion);
  void set_sent(const CallLayout& layout, const Message& message, trace::Event& event);
  void set_received(const CallLayout& layout, const Message& message, trace::Event& event);
  void set_collective(const CallLayout& layout, const Collective& c, trace::Event& event);
  void set_whole(QueuedCall& call);
  void emit_whole();
  void emit(const QueuedCall& call);

  RankComms& comms_;
  Creation creation_;
  LossCounts& losses_;
  compress::StreamFolder folder_;
  compress::TimeFolder times_;
  std::vector<std::int64_t> record_;

  std::optional<OpenCall> call_;
  std::deque<QueuedCall> queue_;
  std::uint64_t first_queued_ = 0;  // number in the stream of the first that waits
  std::vector<PendingRequest> pending_;
  std::int64_t polls_ = 0;
  std::int64_t last_ = 0;               // end of the call before [ns]
  std::int64_t compute_ = 0, mpi_ = 0;  // since the last call that is in the trace [ns]
  std::int64_t init_end_ = 0, finalize_begin_ = -1;  // [ns]
  bool misses_comms_ = false;
};

}  // namespace reprise::convert
