// Prints how many bytes each rank sends to each other one, point to point in MPI_COMM_WORLD.
//
//   message_volume app.reprise
#include <reprise/trace.hpp>

#include <cstdint>
#include <cstdio>
#include <map>

namespace {

constexpr std::int64_t kWorld = 0;

struct Volume {
  std::uint64_t messages = 0;
  std::int64_t bytes = 0;
};

struct Volumes {
  std::map<std::pair<std::uint64_t, std::int64_t>, Volume> of_pair;  // by (sender, receiver)
  std::uint64_t left_out = 0;  // sends in other communicators, or of types of unknown size
};

// The first column of each name that the function has: MPI_Sendrecv calls the count of what it
// sends otherwise than MPI_Send does.
std::int64_t either(const reprise::Cursor& call, const char* a, const char* b) {
  return call.scalar(a).value_or(call.scalar(b).value_or(reprise::special::none));
}

void add_send(const reprise::Cursor& call, std::uint64_t sender, Volumes& out) {
  const std::int64_t receiver = call.scalar("dest").value_or(reprise::special::none);
  if (receiver == reprise::special::process_null) return;
  const std::int64_t count = either(call, "sendcount", "count");
  const auto size = call.type_size(either(call, "sendtype", "datatype"));
  if (call.scalar("comm") != kWorld || reprise::is_special(receiver) || !size) {
    ++out.left_out;
    return;
  }
  Volume& v = out.of_pair[{sender, receiver}];
  ++v.messages;
  v.bytes += count * *size;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: message_volume TRACE\n");
    return 2;
  }
  const auto trace = reprise::Trace::open(argv[1]);
  if (!trace) {
    std::fprintf(stderr, "message_volume: %s\n", trace.error().message.c_str());
    return 1;
  }
  Volumes volumes;
  for (std::uint64_t rank = 0; rank < trace->ranks(); ++rank) {
    for (std::uint64_t thread = 0; thread < trace->threads(); ++thread) {
      reprise::Cursor call = trace->cursor({.rank = rank, .thread = thread});
      while (call.next()) {
        // Persistent requests send when they are started; this example leaves them out.
        const reprise::Function f = call.function();
        if (f.has_trait("send") && !f.has_trait("persistent")) add_send(call, rank, volumes);
      }
      if (const reprise::Status ended = call.status(); !ended) {
        std::fprintf(stderr, "message_volume: %s\n", ended.error().message.c_str());
        return 1;
      }
    }
  }
  std::printf("%8s %8s %12s %16s\n", "from", "to", "messages", "bytes");
  for (const auto& [pair, v] : volumes.of_pair) {
    std::printf("%8llu %8lld %12llu %16lld\n", static_cast<unsigned long long>(pair.first),
                static_cast<long long>(pair.second), static_cast<unsigned long long>(v.messages),
                static_cast<long long>(v.bytes));
  }
  if (volumes.left_out > 0) {
    std::printf("%llu sends in other communicators are left out\n",
                static_cast<unsigned long long>(volumes.left_out));
  }
  return 0;
}
