/* Writes an OTF2 archive of any size as Score-P would of a program that exchanges messages in a ring: what `reprise
 * import` takes is measured with it (docs/import.md).
 *
 *   cc -O2 -o otf2_archive bench/otf2_archive.c -lotf2
 *   ./otf2_archive FOLDER RANKS STEPS        about 290 bytes for each step of a rank */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAIN, INIT, EXCHANGE, IRECV, ISEND, WAITALL, ALLREDUCE, FINALIZE, REGIONS };
static const char* const names[REGIONS] = {"main",      "MPI_Init",    "exchange",      "MPI_Irecv",
                                           "MPI_Isend", "MPI_Waitall", "MPI_Allreduce", "MPI_Finalize"};

static uint64_t now = 1000, seed = 1; /* [ns] */

/* Calls and what is between them take 100 to 160 ns. */
static uint64_t later(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return now += 100 + (seed >> 33) % 61;
}

static OTF2_EvtWriter* w; /* of the rank that is written */

static void enter(uint32_t region) { OTF2_EvtWriter_Enter(w, NULL, later(), region); }
static void leave(uint32_t region) { OTF2_EvtWriter_Leave(w, NULL, later(), region); }

static void receive(uint64_t request) {
  enter(IRECV);
  OTF2_EvtWriter_MpiIrecvRequest(w, NULL, later(), request);
  leave(IRECV);
}

static void send(uint32_t to, uint32_t tag, uint64_t request) {
  enter(ISEND);
  OTF2_EvtWriter_MpiIsend(w, NULL, later(), to, 0, tag, 8192, request);
  leave(ISEND);
}

static void write_rank(uint32_t rank, uint32_t ranks, long steps) {
  const uint32_t left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  uint64_t request = 0;
  now = 1000;
  enter(MAIN);
  enter(INIT);
  leave(INIT);
  for (long s = 0; s < steps; ++s, request += 4) {
    enter(EXCHANGE);
    receive(request);
    receive(request + 1);
    send(right, 1, request + 2);
    send(left, 2, request + 3);
    enter(WAITALL);
    OTF2_EvtWriter_MpiIrecv(w, NULL, later(), left, 0, 1, 8192, request);
    OTF2_EvtWriter_MpiIrecv(w, NULL, later(), right, 0, 2, 8192, request + 1);
    OTF2_EvtWriter_MpiIsendComplete(w, NULL, later(), request + 2);
    OTF2_EvtWriter_MpiIsendComplete(w, NULL, later(), request + 3);
    leave(WAITALL);
    leave(EXCHANGE);
    if (s % 10 < 9) continue;
    enter(ALLREDUCE);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, later());
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, later(), OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_UNDEFINED_UINT32, 8 * ranks,
                                    8 * ranks);
    leave(ALLREDUCE);
  }
  enter(FINALIZE);
  leave(FINALIZE);
  leave(MAIN);
}

static OTF2_FlushType before_flush(void* d, OTF2_FileType t, OTF2_LocationRef l, void* c, bool f) {
  (void)d, (void)t, (void)l, (void)c, (void)f;
  return OTF2_FLUSH;
}
static OTF2_TimeStamp after_flush(void* d, OTF2_FileType t, OTF2_LocationRef l) {
  (void)d, (void)t, (void)l;
  return 0;
}

static void write_definitions(OTF2_Archive* archive, uint32_t ranks, const uint64_t* events) {
  OTF2_GlobalDefWriter* to = OTF2_Archive_GetGlobalDefWriter(archive);
  uint64_t* locations = malloc(sizeof *locations * ranks);
  OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000000, 0, now, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteString(to, 0, "");
  for (uint32_t r = 0; r < REGIONS; ++r) {
    OTF2_GlobalDefWriter_WriteString(to, r + 1, names[r]);
    OTF2_GlobalDefWriter_WriteRegion(to, r, r + 1, r + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                     r == MAIN || r == EXCHANGE ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_MPI,
                                     OTF2_REGION_FLAG_NONE, 0, 0, 0);
  }
  OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t r = 0; r < ranks; ++r) {
    locations[r] = r;
    OTF2_GlobalDefWriter_WriteLocationGroup(to, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(to, r, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events[r], r);
  }
  OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks,
                                  locations);
  OTF2_GlobalDefWriter_WriteGroup(to, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks,
                                  locations);
  OTF2_GlobalDefWriter_WriteComm(to, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  free(locations);
}

int main(int argc, char** argv) {
  static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
  if (argc != 4) return fprintf(stderr, "usage: otf2_archive FOLDER RANKS STEPS\n"), 2;
  const uint32_t ranks = (uint32_t)atol(argv[2]);
  uint64_t* events = calloc(ranks, sizeof *events);
  OTF2_Archive* archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22, OTF2_SUBSTRATE_POSIX,
                                            OTF2_COMPRESSION_NONE);
  if (!archive || !events) return 1;
  OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (uint32_t r = 0; r < ranks; ++r) {
    w = OTF2_Archive_GetEvtWriter(archive, r);
    write_rank(r, ranks, atol(argv[3]));
    OTF2_EvtWriter_GetNumberOfEvents(w, &events[r]);
    OTF2_Archive_CloseEvtWriter(archive, w);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  write_definitions(archive, ranks, events);
  OTF2_Archive_Close(archive);
  free(events);
  return 0;
}
