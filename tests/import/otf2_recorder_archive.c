/* The archive that otf2_recorder.c records: definitions and events of all ranks, written by rank 0. */
#include <mpi.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2_recorder.h"

/* Clocks of ranks differ by so much [ns]; the archive says so. */
#define SKEW UINT64_C(1000)

static const char* const region_names[] = {
#define X(name) #name,
    REGIONS(X)
#undef X
};

int marks(const char* word) {
  const char* how = getenv("OTF2_RECORDER_COMMS");
  return how && strcmp(how, word) == 0;
}

static OTF2_FlushType before_flush(void* d, OTF2_FileType t, OTF2_LocationRef l, void* c, bool f) {
  (void)d, (void)t, (void)l, (void)c, (void)f;
  return OTF2_FLUSH;
}
static OTF2_TimeStamp after_flush(void* d, OTF2_FileType t, OTF2_LocationRef l) {
  (void)d, (void)t, (void)l;
  return 0;
}

/* By name, the functions of all ranks; the region of one is N_REGIONS and its place here. */
static char (*all_functions)[NAME];
static size_t n_all_functions;

static uint32_t region_named(const char* name) {
  size_t i = 0;
  while (i < n_all_functions && strcmp(all_functions[i], name) != 0) ++i;
  if (i == n_all_functions) {
    all_functions = realloc(all_functions, sizeof *all_functions * (i + 1));
    memcpy(all_functions[n_all_functions++], name, NAME);
  }
  return (uint32_t)(N_REGIONS + i);
}

static CommKey* all_comms;
static uint64_t** all_members;
static size_t n_all;

/* The number that rank 0 gave a communicator; groups and communicators are numbered alike. */
static uint32_t number_of(CommKey key) {
  if (key.leader == 0 && key.serial == 1) return SELF;
  for (size_t i = 0; i < n_all; ++i)
    if (all_comms[i].leader == key.leader && all_comms[i].serial == key.serial) return (uint32_t)i;
  return OTF2_UNDEFINED_COMM;
}

/* The program and its arguments, as strings of the archive from PROGRAM on. */
enum { PROGRAM = 1, MAX_WORDS = 64 };
static char command_line[4096];
static const char* words[MAX_WORDS];
static uint32_t n_words;

static void read_command_line(void) {
  FILE* f = fopen("/proc/self/cmdline", "r");
  const size_t size = f ? fread(command_line, 1, sizeof command_line - 1, f) : 0;
  if (f) fclose(f);
  for (size_t at = 0; at < size && n_words < MAX_WORDS; at += strlen(command_line + at) + 1)
    words[n_words++] = command_line + at;
}

static void write_program_begin(OTF2_EvtWriter* w, uint64_t time) {
  uint32_t arguments[MAX_WORDS];
  for (uint32_t i = 1; i < n_words; ++i) arguments[i - 1] = PROGRAM + i;
  if (n_words > 0) OTF2_EvtWriter_ProgramBegin(w, NULL, time, PROGRAM, n_words - 1, arguments);
}

static void write_events(OTF2_EvtWriter* w, const Event* e, size_t n, const CommKey* of_rank,
                         char (*functions)[NAME], uint64_t skew) {
  for (size_t i = 0; i < n; ++i, ++e) {
    const uint64_t t = e->time + skew;
    const uint32_t region = e->a < N_REGIONS || e->type > LEAVE ? (uint32_t)e->a : region_named(functions[e->a - N_REGIONS]);
    const uint32_t comm_b = e->b < MAX_COMMS ? number_of(of_rank[e->b]) : 0;
    switch (e->type) {
      case ENTER: OTF2_EvtWriter_Enter(w, NULL, t, region); break;
      case LEAVE: OTF2_EvtWriter_Leave(w, NULL, t, region); break;
      case SEND: OTF2_EvtWriter_MpiSend(w, NULL, t, (uint32_t)e->a, comm_b, (uint32_t)e->c, e->d); break;
      case RECV: OTF2_EvtWriter_MpiRecv(w, NULL, t, (uint32_t)e->a, comm_b, (uint32_t)e->c, e->d); break;
      case ISEND: OTF2_EvtWriter_MpiIsend(w, NULL, t, (uint32_t)e->a, comm_b, (uint32_t)e->c, e->d, e->e); break;
      case IRECV: OTF2_EvtWriter_MpiIrecv(w, NULL, t, (uint32_t)e->a, comm_b, (uint32_t)e->c, e->d, e->e); break;
      case ISEND_DONE: OTF2_EvtWriter_MpiIsendComplete(w, NULL, t, e->a); break;
      case IRECV_REQUEST: OTF2_EvtWriter_MpiIrecvRequest(w, NULL, t, e->a); break;
      case COLL_BEGIN: OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, t); break;
      case COLL_END:
        OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, t, (OTF2_CollectiveOp)e->a, comm_b, (uint32_t)e->c, e->d, e->e);
        break;
      case COMM_CREATE: OTF2_EvtWriter_CommCreate(w, NULL, t, number_of(of_rank[e->a])); break;
      case COMM_DESTROY: OTF2_EvtWriter_CommDestroy(w, NULL, t, number_of(of_rank[e->a])); break;
      case NBC_REQUEST: OTF2_EvtWriter_NonBlockingCollectiveRequest(w, NULL, t, e->a); break;
      case NBC_DONE:
        OTF2_EvtWriter_NonBlockingCollectiveComplete(w, NULL, t, (OTF2_CollectiveOp)e->a, comm_b, (uint32_t)e->c,
                                                     e->d, e->e, e->f);
        break;
      default: break;
    }
  }
}

static void add_all(CommKey key, const uint64_t* members) {
  if (n_all > SELF && number_of(key) != OTF2_UNDEFINED_COMM) return;
  all_comms = realloc(all_comms, (n_all + 1) * sizeof *all_comms);
  all_members = realloc(all_members, (n_all + 1) * sizeof *all_members);
  all_comms[n_all] = key;
  all_members[n_all] = malloc(sizeof(uint64_t) * key.members);
  memcpy(all_members[n_all++], members, sizeof(uint64_t) * key.members);
}

static void write_definitions(OTF2_Archive* archive, int size, const uint64_t* counts, uint64_t first, uint64_t last) {
  OTF2_GlobalDefWriter* w = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, first, last - first + 1, OTF2_UNDEFINED_TIMESTAMP);
  uint32_t s = 0;
  OTF2_GlobalDefWriter_WriteString(w, s++, "");
  for (uint32_t i = 0; i < n_words; ++i) OTF2_GlobalDefWriter_WriteString(w, s++, words[i]);
  for (int i = 0; i < N_REGIONS; ++i) {
    OTF2_GlobalDefWriter_WriteString(w, s, region_names[i]);
    OTF2_GlobalDefWriter_WriteRegion(w, (uint32_t)i, s, s, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI,
                                     OTF2_REGION_FLAG_NONE, 0, 0, 0);
    ++s;
  }
  for (size_t i = 0; i < n_all_functions; ++i) {
    OTF2_GlobalDefWriter_WriteString(w, s, all_functions[i]);
    OTF2_GlobalDefWriter_WriteRegion(w, (uint32_t)(N_REGIONS + i), s, s, 0, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    ++s;
  }
  OTF2_GlobalDefWriter_WriteString(w, s, "machine");
  OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, s++, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  uint64_t* locations = malloc(sizeof *locations * (size_t)size);
  for (int r = 0; r < size; ++r) {
    char name[32];
    snprintf(name, sizeof name, "MPI Rank %d", r);
    OTF2_GlobalDefWriter_WriteString(w, s, name);
    OTF2_GlobalDefWriter_WriteLocationGroup(w, (uint32_t)r, s, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    locations[r] = (uint64_t)r << 32;
    OTF2_GlobalDefWriter_WriteLocation(w, locations[r], s++, OTF2_LOCATION_TYPE_CPU_THREAD,
                                       counts[r] + (n_words > 0), (uint32_t)r);
  }
  OTF2_GlobalDefWriter_WriteGroup(w, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, (uint32_t)size, locations);
  const int marked = !marks("parents") && !marks("none");
  for (size_t i = 0; i < n_all; ++i) {
    const int is_self = i == SELF;
    OTF2_GlobalDefWriter_WriteGroup(w, (uint32_t)i + 1, 0,
                                    is_self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, is_self ? 0 : (uint32_t)all_comms[i].members,
                                    all_members[i]);
    CommKey parent = {all_comms[i].parent_leader, all_comms[i].parent_serial, 0, 0, 0};
    OTF2_GlobalDefWriter_WriteString(w, s, i == 0 ? "MPI_COMM_WORLD" : "");
    OTF2_GlobalDefWriter_WriteComm(w, (uint32_t)i, s++, (uint32_t)i + 1, i <= SELF ? OTF2_UNDEFINED_COMM : number_of(parent),
                                   i > SELF && marked ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE);
  }
  OTF2_Archive_CloseGlobalDefWriter(archive, w);
}

typedef struct {
  uint64_t events, comms;
} Sizes;

static void send_all(const Recording* own) {
  Sizes sizes = {own->n_events, (uint64_t)own->n_comms};
  PMPI_Send(&sizes, sizeof sizes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  PMPI_Send(own->events, (int)(own->n_events * sizeof(Event)), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  PMPI_Send(own->comms, (int)sizeof(CommKey) * own->n_comms, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  PMPI_Send(own->functions, MAX_FUNCTIONS * NAME, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; i < own->n_comms; ++i)
    PMPI_Send(own->members[i], (int)own->comms[i].members, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
}

static void write_archive(const Recording* own, const char* folder) {
  const int size = own->size;
  static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
  Event** of_rank = calloc((size_t)size, sizeof *of_rank);
  CommKey** keys = calloc((size_t)size, sizeof *keys);
  char(**functions)[NAME] = calloc((size_t)size, sizeof *functions);
  uint64_t* counts = calloc((size_t)size, sizeof *counts);
  uint64_t first = ~0ull, last = 0;
  for (int r = 0; r < size; ++r) {
    Sizes sizes = {own->n_events, (uint64_t)own->n_comms};
    if (r > 0) PMPI_Recv(&sizes, sizeof sizes, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    counts[r] = sizes.events;
    of_rank[r] = malloc(sizeof(Event) * (sizes.events + 1));
    keys[r] = calloc(MAX_COMMS, sizeof(CommKey));
    memcpy(keys[r], own->comms, MAX_COMMS * sizeof(CommKey));
    memcpy(of_rank[r], own->events, r == 0 ? sizeof(Event) * sizes.events : 0);
    if (r > 0) {
      PMPI_Recv(of_rank[r], (int)(sizes.events * sizeof(Event)), MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      PMPI_Recv(keys[r], (int)(sizes.comms * sizeof(CommKey)), MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    functions[r] = malloc(MAX_FUNCTIONS * NAME);
    memcpy(functions[r], own->functions, MAX_FUNCTIONS * NAME);
    if (r > 0)
      PMPI_Recv(functions[r], MAX_FUNCTIONS * NAME, MPI_BYTE, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (uint64_t i = 0; i < sizes.comms; ++i) {
      uint64_t* members = r == 0 ? own->members[i] : malloc(sizeof *members * keys[r][i].members);
      if (r > 0)
        PMPI_Recv(members, (int)keys[r][i].members, MPI_UINT64_T, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      add_all(keys[r][i], members);
    }
    for (uint64_t i = 0; i < sizes.events; ++i) {
      if (of_rank[r][i].time < first) first = of_rank[r][i].time;
      if (of_rank[r][i].time > last) last = of_rank[r][i].time;
    }
  }
  OTF2_Archive* archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, "otf2_recorder");
  OTF2_Archive_OpenEvtFiles(archive);
  read_command_line();
  for (int r = 0; r < size; ++r) {
    OTF2_EvtWriter* w = OTF2_Archive_GetEvtWriter(archive, (uint64_t)r << 32);
    write_program_begin(w, counts[r] > 0 ? of_rank[r][0].time + SKEW * (uint64_t)r : 0);
    write_events(w, of_rank[r], counts[r], keys[r], functions[r], SKEW * (uint64_t)r);
    OTF2_Archive_CloseEvtWriter(archive, w);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (int r = 0; r < size; ++r) {
    OTF2_DefWriter* w = OTF2_Archive_GetDefWriter(archive, (uint64_t)r << 32);
    OTF2_DefWriter_WriteClockOffset(w, first, -(int64_t)(SKEW * (uint64_t)r), 0);
    OTF2_DefWriter_WriteClockOffset(w, last + SKEW * (uint64_t)size, -(int64_t)(SKEW * (uint64_t)r), 0);
    OTF2_Archive_CloseDefWriter(archive, w);
  }
  OTF2_Archive_CloseDefFiles(archive);
  write_definitions(archive, size, counts, first, last);
  OTF2_Archive_Close(archive);
}

void write_recording(const Recording* own, const char* folder) {
  if (own->rank == 0) return write_archive(own, folder);
  send_all(own);
}
