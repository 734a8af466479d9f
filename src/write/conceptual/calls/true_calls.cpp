#include "write/conceptual/calls/true_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace reprise::write::conceptual {
namespace {

constexpr std::array<TrueCall, 11> kCalls{{
    {.name = "Allgather",
     .arguments = "reprise_out(1, n), n, MPI_BYTE, reprise_in(reprise_size(comm), n), n, MPI_BYTE"},
    {.name = "Gather",
     .arguments = "reprise_out(1, n), n, MPI_BYTE, reprise_in(reprise_size(comm), n), n, MPI_BYTE, "
                  "root",
     .has_root = true},
    {.name = "Scatter",
     .arguments = "reprise_out(reprise_size(comm), n), n, MPI_BYTE, reprise_in(1, n), n, MPI_BYTE, "
                  "root",
     .has_root = true},
    {.name = "Scan",
     .arguments = "reprise_out(n, 4), reprise_in(n, 4), n, MPI_INT, MPI_SUM",
     .is_reduction = true},
    {.name = "Exscan",
     .arguments = "reprise_out(n, 4), reprise_in(n, 4), n, MPI_INT, MPI_SUM",
     .is_reduction = true},
    {.name = "Reduce_scatter_block",
     .arguments = "reprise_out(reprise_size(comm), 4.0 * n), reprise_in(n, 4), n, MPI_INT, MPI_SUM",
     .is_reduction = true},
    {.name = "Reduce_scatter",
     .arguments = "reprise_out(reprise_total(), 4), reprise_in(reprise_own(), 4), reprise_counts, "
                  "MPI_INT, MPI_SUM",
     .has_list = true,
     .is_reduction = true},
    {.name = "Allgatherv",
     .arguments = "reprise_out(1, reprise_own()), reprise_own(), MPI_BYTE, reprise_in(1, "
                  "reprise_total()), reprise_counts, reprise_displs, MPI_BYTE",
     .has_list = true},
    {.name = "Gatherv",
     .arguments = "reprise_out(1, reprise_own()), reprise_own(), MPI_BYTE, reprise_in(1, "
                  "reprise_total()), reprise_counts, reprise_displs, MPI_BYTE, root",
     .has_root = true,
     .has_list = true},
    {.name = "Scatterv",
     .arguments = "reprise_out(1, reprise_total()), reprise_counts, reprise_displs, MPI_BYTE, "
                  "reprise_in(1, reprise_own()), reprise_own(), MPI_BYTE, root",
     .has_root = true,
     .has_list = true},
    {.name = "Alltoallv",
     .arguments = "reprise_out(1, reprise_total()), reprise_counts, reprise_displs, MPI_BYTE, "
                  "reprise_in(1, reprise_total_from()), reprise_from_counts, reprise_from_displs, "
                  "MPI_BYTE",
     .has_list = true},
}};

constexpr std::string_view kDeclarations =
    R"(THE BACKEND DECLARES "
/* Buffers of sent (0) and received data (1), which grow as needed; contents are arbitrary. */
static void *reprise_memory(int which, double bytes)
{
  static void *memory[2];
  static double room[2];
  if (memory[which] == NULL || bytes > room[which]) {
    if (memory[which] != NULL)
      ncptl_free(memory[which]);
    memory[which] = ncptl_malloc((ncptl_int)bytes + 1, 0);
    memset(memory[which], 0, (size_t)bytes + 1);
    room[which] = bytes;
  }
  return memory[which];
}
static void *reprise_out(double blocks, double bytes) { return reprise_memory(0, blocks * bytes); }
static void *reprise_in(double blocks, double bytes) { return reprise_memory(1, blocks * bytes); }

static int reprise_size(MPI_Comm comm)
{
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}

/* The members of the next call in ascending order, and the count of each; in an exchange, the
 * counts that are sent to it and received from it. */
static int reprise_members;
static int *reprise_tasks, *reprise_counts, *reprise_displs;
static int *reprise_from_counts, *reprise_from_displs;

static int *reprise_numbers(void)
{
  size_t bytes = sizeof(int) * (size_t)reprise_size(MPI_COMM_WORLD);
  return (int *)memset(ncptl_malloc((ncptl_int)bytes, 0), 0, bytes);
}

static void reprise_member(double task, double count)
{
  if (reprise_tasks == NULL) {
    reprise_tasks = reprise_numbers();
    reprise_counts = reprise_numbers();
    reprise_displs = reprise_numbers();
    reprise_from_counts = reprise_numbers();
    reprise_from_displs = reprise_numbers();
  }
  reprise_tasks[reprise_members] = (int)task;
  reprise_counts[reprise_members] = (int)count;
  reprise_from_counts[reprise_members] = 0;
  reprise_members++;
}

/* The rank of a task in the communicator of the members. */
static int reprise_rank(double task)
{
  int rank = 0;
  while (rank < reprise_members && reprise_tasks[rank] != (int)task)
    rank++;
  return rank;
}
static void reprise_to(double task, double count) { reprise_counts[reprise_rank(task)] = (int)count; }
static void reprise_from(double task, double count)
{
  reprise_from_counts[reprise_rank(task)] = (int)count;
}

static int reprise_own(void)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return reprise_counts[reprise_rank(rank)];
}

/* The sum of counts, each of which begins where the one before ends. */
static double reprise_sum(const int *counts, int *displs)
{
  double sum = 0;
  int i;
  for (i = 0; i < reprise_members; i++) {
    displs[i] = (int)sum;
    sum += counts[i];
  }
  return sum;
}
static double reprise_total(void) { return reprise_sum(reprise_counts, reprise_displs); }
static double reprise_total_from(void)
{
  return reprise_sum(reprise_from_counts, reprise_from_displs);
}

/* The communicator of the members, made once for each set of them. */
static MPI_Comm reprise_comm(void)
{
  struct set { struct set *next; int members, *tasks; MPI_Comm comm; };
  static struct set *sets;
  struct set *s;
  size_t bytes = sizeof(int) * (size_t)reprise_members;
  MPI_Group world, group;
  for (s = sets; s != NULL; s = s->next)
    if (s->members == reprise_members && memcmp(s->tasks, reprise_tasks, bytes) == 0)
      return s->comm;
  s = (struct set *)ncptl_malloc(sizeof *s, 0);
  s->next = sets;
  s->members = reprise_members;
  s->tasks = (int *)memcpy(ncptl_malloc((ncptl_int)bytes, 0), reprise_tasks, bytes);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, s->members, s->tasks, &group);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &s->comm);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  sets = s;
  return s->comm;
}
".
)";

// "comm" by what it is; it is a word of its own.
std::string with_communicator(std::string text, std::string_view comm) {
  for (std::size_t at = 0; (at = text.find("(comm)", at)) != std::string::npos; at += comm.size())
    text.replace(at + 1, 4, comm);
  return text;
}

}  // namespace

std::vector<ast::Item> TrueCall::items(const std::optional<ast::Expr>& size,
                                       const std::optional<ast::Expr>& root, bool is_world) const {
  const std::string comm = is_world ? "MPI_COMM_WORLD" : "comm";
  std::vector<ast::Item> out;
  std::string text;  // that has not become an item yet
  const auto value = [&](const ast::Expr& e) {
    out.emplace_back().text = std::exchange(text, {});
    out.emplace_back().kind = ast::Item::Kind::number;
    out.back().number = e;
  };
  if (!is_world) text += "MPI_Comm comm = reprise_comm(); ";
  if (size) {
    text += "int n = ";
    value(*size);
    text += "; ";
  }
  if (root) {
    text += is_world ? "int root = " : "int root = reprise_rank(";
    value(*root);
    text += is_world ? "; " : "); ";
  }
  text += "MPI_" + std::string(name) + "(" + with_communicator(std::string(arguments), comm) +
          ", " + comm + ");";
  if (has_list || !is_world) text += " reprise_members = 0;";
  out.emplace_back().text = std::move(text);
  return out;
}

void check_count(const ast::Expr& size) {
  // No number of the language has more digits than fit.
  if (size.op == ast::Op::number && size.value > std::numeric_limits<int>::max())
    throw TooLarge{"its count is " + std::to_string(size.value) + " (MPI takes an int)"};
}

const TrueCall* true_call(std::string_view name) {
  if (name == "Alltoallw") name = "Alltoallv";
  const auto found = std::ranges::find(kCalls, name, &TrueCall::name);
  return found == kCalls.end() ? nullptr : &*found;
}

std::string call_declarations() { return std::string(kDeclarations); }

}  // namespace reprise::write::conceptual
