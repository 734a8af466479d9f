#include "record/flat/flat_state.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>

#include "record/flat/flat_log.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/objects/handles.hpp"

namespace reprise::record {

Log* g_flat_log = nullptr;

ThreadLog& thread_log(int thread) {
  static thread_local ThreadLog* mine = nullptr;
  static thread_local const Log* owner = nullptr;
  if (owner != g_flat_log) {
    owner = g_flat_log;
    const std::lock_guard lock(g_flat_log->mutex);
    const std::string path = g_flat_log->folder + "/rank-" + std::to_string(g_flat_log->rank) +
                             "-thread-" + std::to_string(thread) + ".log";
    mine = g_flat_log->threads.emplace_back(new ThreadLog);
    mine->thread = thread;
    mine->file = std::fopen(path.c_str(), "w");
    if (!mine->file) g_flat_log->failed(errno);
  }
  return *mine;
}

std::pair<ThreadLog*, PendingRequest*> find_pending(std::uint64_t id) {
  for (ThreadLog* log : g_flat_log->threads) {
    for (PendingRequest& p : log->pending) {
      if (p.id == id && !p.elsewhere) return {log, &p};
    }
  }
  return {nullptr, nullptr};
}

std::string rank_text(int value) {
  if (value == MPI_ANY_SOURCE) return "MPI_ANY_SOURCE";
  if (value == MPI_PROC_NULL) return "MPI_PROC_NULL";
  if (value < 0 && value == MPI_ROOT) return "MPI_ROOT";
  return std::to_string(value);
}

std::string tag_text(int value) {
  return value == MPI_ANY_TAG ? "MPI_ANY_TAG" : std::to_string(value);
}

void open_flat_log(const std::string& folder, MPI_Comm all) {
  g_flat_log = new Log;
  g_flat_log->folder = folder;
  ::mkdir(folder.c_str(), 0777);
  PMPI_Comm_rank(all, &g_flat_log->rank);
  PMPI_Comm_group(all, &g_flat_log->world);
  g_flat_log->comms[handle_bits(MPI_COMM_WORLD)] = "comm:world";
  g_flat_log->comms[handle_bits(MPI_COMM_SELF)] = "comm:self";
  g_flat_log->groups.name(handle_bits(MPI_GROUP_EMPTY), "0");
  [[maybe_unused]] int type = 0, op = 0;
#define REPRISE_DATATYPE(name_, size) \
  g_flat_log->types.name(handle_bits(MPI_Datatype(name_)), std::string(#name_));
#define REPRISE_OP(name_) g_flat_log->ops.name(handle_bits(MPI_Op(name_)), std::string(#name_));
#define REPRISE_DATATYPE_OF(name_, symbol)                                         \
  g_flat_log->types.name(handle_bits(MPI_Datatype(::dlsym(RTLD_DEFAULT, symbol))), \
                         std::string(#name_));
#include "predefined_here.inc"
}

void flush_flat_log() {
  if (!g_flat_log) return;
  const NoFileSizeSignal guard;
  for (const ThreadLog* log : g_flat_log->threads) {
    if (log->file && std::fflush(log->file) != 0) g_flat_log->failed(errno);
  }
}

int close_flat_log() {
  flush_flat_log();
  return g_flat_log ? g_flat_log->error.load() : 0;
}

}  // namespace reprise::record
