// A machine as Dimemas's configuration (.cfg), for the same numbers on both sides.
#pragma once

#include "convert/text_file.hpp"
#include "simulate/machine/machine.hpp"

namespace reprise::convert {

// What Dimemas takes elsewhere is not in it: the eager limit is an option of its command line, and
// what collectives take is in the file `collectives`, whose name it has.
// REQUIRES: machine.check(ranks) and check_dimemas(machine, ranks) found nothing.
void write_dimemas_machine(const simulate::Machine& machine, std::uint64_t ranks,
                           const std::string& collectives, TextFile& out);

// Dimemas's file of collectives: what each takes in its fan-in and its fan-out.
void write_dimemas_collectives(const simulate::Machine& machine, TextFile& out);

// Options of Dimemas's command line for what the configuration cannot say: "-S 65537".
std::string dimemas_options(const simulate::Machine& machine);

// Why Dimemas cannot simulate this machine; nothing if it can.
Status check_dimemas(const simulate::Machine& machine, std::uint64_t ranks);

}  // namespace reprise::convert
