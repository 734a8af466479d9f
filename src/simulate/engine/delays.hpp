// Engine: waits and their causes, and messages between ranks, where clocks record them. Included
// where an engine is made.
#pragma once

#include "simulate/engine/engine.hpp"

namespace reprise::simulate {

template <class C>
void Engine<C>::note_delay(const Task& task, std::uint32_t of, bool receives, const C& until,
                           Picoseconds on_wire) {
  if constexpr (kKeepsDelays) {
    if (!task.is_stream || until.time <= task.clock.time) return;
    const WaitState state = wait_state_of(trace_.calls[of].function, receives);
    delays_.waits(state, task.call, task.stream, task.clock, until, on_wire);
  }
}

// Messages of collectives have contexts of their own (Group::collective_context).
template <class C>
void Engine<C>::note_traffic(const Message& m) {
  if constexpr (kKeepsDelays) {
    if (m.channel.context % 2 != 0) return;
    if (!delays_.sends(m.call, m.channel.source, m.channel.receiver, m.bytes))
      fail(
          {"its messages go between more than 16,777,216 pairs of ranks and call sites (a matrix "
           "of them would take gigabytes); look at a trace of fewer ranks"});
  }
}

}  // namespace reprise::simulate
