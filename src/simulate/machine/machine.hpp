// The machine that a trace is simulated on: a few numbers, in the terms of Dimemas.
//
// Nodes have processors, one for each rank that is mapped to them. Messages between nodes take the
// network, those within a node its memory. Two models say what a message costs:
//
//   dimemas  the latency is start-up: it occupies the processor of the sender, and that of the
//            receiver before it waits; then the bytes flow. (Badia et al. 2003)
//   hockney  the latency is flight, then the bytes flow; messages do not stand in each other's way.
//            An overhead may occupy the processor at both ends. (Hockney 1994)
//   loggp    the same, and the bytes of a message occupy the interfaces of its sender and of its
//            receiver, which have one message at a time and a gap behind each. (Alexandrov et al.
//            1995)
//   loggops  the same, but a rank's processor takes every message in when it comes, also one that
//   no
//            receive waits for, and does nothing else meanwhile; at both ends each byte may take
//            its time. It is what LogGOPSim simulates. (Hoefler et al. 2010)
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "simulate/collectives/collective_names.hpp"

namespace reprise::simulate {

// All times are counted in picoseconds: 2^63 of them are 106 days.
using Picoseconds = std::int64_t;
inline constexpr Picoseconds kPicosecondsPerNanosecond = 1000;

enum class MessageModel : std::uint8_t { dimemas, hockney, loggp, loggops };

struct Wire {
  Picoseconds latency = 1'000'000;
  double inverse_bandwidth = 100;  // [ps/byte]; 0: unlimited bandwidth

  bool operator==(const Wire&) const = default;
};

// A collective of 8 bytes that a library carries out for its own ends.
struct Exchange {
  Collective kind{};
  Algorithm algorithm = Algorithm::automatic;  // automatic: that of the program's collectives

  bool operator==(const Exchange&) const = default;
};
using Exchanges = std::vector<Exchange>;  // one after the other

// The cost of creating a communicator, window or file. Steps: all wait for the last process, and
// then for so many messages of 8 bytes; none: no process waits. The exchanges are added.
struct Making {
  Steps steps = Steps::logarithmic;
  Exchanges split;         // in the communicator that MPI_Comm_split or MPI_Cart_sub takes apart
  Exchanges communicator;  // in each new communicator
  Exchanges window;        // among those that make a window

  bool operator==(const Making&) const = default;
};

// How one-sided communication is carried out.
struct Windows {
  Exchanges fence_begins;  // before a fence waits for accesses, unless none precede it
  Exchanges fence_ends{{Collective::barrier}};
  Exchanges free{{Collective::barrier}};
  // Operations that return data take so many latencies: a request and a reply.
  std::int64_t fetch_latencies = 2;
  bool accumulate_waits = false;  // MPI_Accumulate ends when it has been carried out
  // Operations that fetch and change are a fetch followed by an accumulation, without another such
  // operation at that process at the same time.
  bool atomics_lock = false;

  bool operator==(const Windows&) const = default;
};

enum class Mapping : std::uint8_t { block, cyclic, list };

struct Machine {
  MessageModel model = MessageModel::dimemas;
  Wire network;  // between nodes
  Wire memory;   // within a node
  // Whether the memory's latency and bandwidth are set by themselves, rather than being those of
  // the network whatever these are.
  bool has_own_latency = false, has_own_bandwidth = false;
  Picoseconds overhead = 0;           // of each message at each end; hockney, loggp and loggops
  Picoseconds overhead_per_byte = 0;  // of a processor at each end [ps/byte]; loggops
  Picoseconds gap = 0;                // between messages at an interface; loggp and loggops
  // Messages up to this size are sent eagerly: the sender goes on at once. Larger ones wait for
  // their receive [bytes].
  std::int64_t eager = 65536;
  static constexpr std::int64_t kAllEager = std::numeric_limits<std::int64_t>::max();
  double cpu_ratio = 1;  // how many times faster than that of the trace a processor is

  std::int64_t processors = 1;  // of a node
  Mapping mapping = Mapping::block;
  std::vector<std::uint32_t> nodes;  // of each rank, if mapping is list

  // Resources for messages between nodes, first come, first served; 0: unlimited.
  std::int64_t buses = 0;
  std::int64_t input_links = 0;   // of a node
  std::int64_t output_links = 0;  // of a node

  CollectiveModel collectives = CollectiveModel::algorithms;
  std::array<Algorithm, kCollectiveKinds> algorithms{};  // automatic: chosen by size
  std::array<DimemasCollective, kCollectiveKinds> dimemas = default_dimemas();

  Making making;
  Windows windows;

  // Files: a time for each access and for each byte; negative: as long as the calls took when they
  // were recorded.
  Picoseconds file_latency = -1;
  double file_inverse_bandwidth = 0;  // [ps/byte]
  // Before a collective call on a file; empty: all wait for the last process, at no cost.
  Exchanges file_exchanges;

  bool has_contention() const { return buses > 0 || input_links > 0 || output_links > 0; }
  // Whether each rank has an interface that one message passes at a time.
  bool has_interfaces() const { return model == MessageModel::loggp || occupies_processors(); }
  // Whether messages that come wait for their receiver's processor, and it for them.
  bool occupies_processors() const { return model == MessageModel::loggops; }
  // Of the network, and of the memory unless that has its own.
  void set_latency(Picoseconds latency);
  void set_inverse_bandwidth(double inverse_bandwidth);
  // The node of each rank. REQUIRES: check(ranks) found nothing.
  std::vector<std::uint32_t> nodes_of(std::uint64_t ranks) const;

  // What is wrong with it for so many ranks.
  Status check(std::uint64_t ranks) const;

  // The same with a network and memory that take no time.
  Machine with_ideal_network() const;
};

}  // namespace reprise::simulate
