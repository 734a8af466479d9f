// The end of the recording (lifetime/guard.hpp) under SMPI: the process saves a part for each rank.
#include <algorithm>
#include <cstdio>

#include "record/lifetime/guard.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/session.hpp"

namespace reprise::record::guarded {

Ending& ending() { return board().ending; }

void add(Session& session) { board().alive[present_caller()] = {&session, 0}; }

bool remove(Session&) {
  board().alive.erase(present_caller());
  return !board().alive.empty();
}

Stream* busy_stream() {
  for (const auto& [actor, rank] : board().alive) {
    Stream* stream = rank.session->known_stream();
    if (stream && stream->busy) return stream;
  }
  return nullptr;
}

bool is_own_thread() { return false; }

void note_signal(int signal, bool is_fault) {
  for (const auto& [actor, rank] : board().alive) {
    if (!is_fault || actor == present_caller()) rank.session->note_signal(signal);
  }
}

void note_exit() {}

// Ranks that have come to MPI_Finalize have left their sessions.
void save(Occasion occasion) {
  const Board& b = board();
  if (b.alive.empty()) return;
  const std::string output = b.alive.begin()->second.session->options.output;
  for (const auto& [actor, rank] : b.alive) {
    if (!rank.session->save(occasion)) return;  // nor will others have the time
  }
  for (const auto& [world, job] : b.jobs) {
    for (const compress::Process& p : job.processes) {
      PartFile file;
      file.name(output, p.rank);
      const Status written = file.write(p.encode());
      if (!written)
        std::fprintf(
            stderr,
            "reprise: %s; make a trace of the other parts with\n  reprise merge -o %s %s.part-*\n",
            written.error().message.c_str(), output.c_str(), output.c_str());
    }
  }
}

void forget_signal(int signal) {
  for (const auto& [actor, rank] : board().alive) rank.session->forget_signal(signal);
}

void leave_handler() {}

bool survive(const void*) { return false; }

}  // namespace reprise::record::guarded
