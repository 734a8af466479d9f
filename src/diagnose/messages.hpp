// Who sends what to whom: the matrix of point-to-point messages, in blocks of ranks that do alike.
#pragma once

#include "diagnose/experiment.hpp"

namespace reprise::diagnose {

// Of a run with delays. Cost: O(pairs log pairs).
Messages messages_of(const simulate::Outcome& run, const simulate::Machine& machine,
                     std::uint64_t ranks);

// Ranks whose interface takes the messages of most others. Cost: two simulations, if there is one.
Status find_contention(const Experiment& experiment, const Messages& messages,
                       std::vector<Finding>& out);

// Whether another mapping to nodes would do better. Cost: a simulation.
Status find_bad_mapping(const Experiment& experiment, const Messages& messages,
                        std::vector<Finding>& out);

// The mapping that it tries: the node of each rank. Pairs of ranks come together in the order of
// what the network takes longer for them than a node's memory, as long as they fit on a node.
std::vector<std::uint32_t> mapping_for(const Messages& messages, const simulate::Machine& machine,
                                       std::uint64_t ranks);

enum class Quantity : std::uint8_t { messages, bytes };
// Writes a number for each sender (row) and receiver (column) to a file: NumPy's format if its name
// ends in .npy (uint64), else lines of numbers with commas between them. Cost: O(ranks^2).
Status write_dense(const Messages& messages, std::uint64_t ranks, Quantity quantity,
                   const std::string& path);

}  // namespace reprise::diagnose
