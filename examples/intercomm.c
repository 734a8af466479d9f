/* Two coupled models, each on its own ranks, which talk through an inter-communicator: a third of
 * the ranks are the ocean, the others the atmosphere.
 *
 * Class: inter-communicators: a rank names the ranks of the other group; collectives go across;
 * then both groups merge.
 */
#include "compute.h"
#include "harness.h"

typedef struct {
  MPI_Comm model, coupler;
  int is_ocean, rank, size, remote;  // within the model; remote: the size of the other one
} Model;

static Model make_model(int world_rank, int world_size) {
  Model model;
  int ocean = (world_size + 2) / 3;
  model.is_ocean = world_rank < ocean;
  MPI_Comm_split(MPI_COMM_WORLD, model.is_ocean, world_rank, &model.model);
  MPI_Intercomm_create(model.model, 0, MPI_COMM_WORLD, model.is_ocean ? ocean : 0, 42,
                       &model.coupler);
  MPI_Comm_rank(model.coupler, &model.rank);
  MPI_Comm_size(model.coupler, &model.size);
  MPI_Comm_remote_size(model.coupler, &model.remote);
  return model;
}

/* Every rank of the larger group has one partner, those of the smaller one have several. */
static long swap_fluxes(const Model* model, int step) {
  int most = model->size > model->remote ? model->size : model->remote;
  long wrong = 0;
  for (int pair = 0; pair < most; pair++) {
    int peer = pair % model->remote, mine = 1000 * step + model->rank, theirs = -1;
    if (pair % model->size != model->rank) continue;
    MPI_Sendrecv(&mine, 1, MPI_INT, peer, pair, &theirs, 1, MPI_INT, peer, pair, model->coupler,
                 MPI_STATUS_IGNORE);
    wrong += theirs != 1000 * step + peer;
  }
  return wrong;
}

/* Each side gets the sum over the other side's ranks. */
static long swap_sums(const Model* model, int step) {
  int mine = step + model->rank, theirs;
  MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, model->coupler);
  return theirs != step * model->remote + model->remote * (model->remote - 1) / 2;
}

/* One rank of the ocean, another one in every step, tells the whole atmosphere. */
static long tell_atmosphere(const Model* model, int step) {
  int temperature = model->is_ocean ? 300 + step : 0;
  int ocean = model->is_ocean ? model->size : model->remote;
  int teller = step % ocean, root = !model->is_ocean        ? teller
                                    : teller == model->rank ? MPI_ROOT
                                                            : MPI_PROC_NULL;
  MPI_Bcast(&temperature, 1, MPI_INT, root, model->coupler);
  return temperature != 300 + step;
}

/* Puts the atmosphere first. */
static long merge_models(const Model* model, int world_rank, int world_size) {
  MPI_Comm both;
  int rank, sum, inter;
  MPI_Comm_test_inter(model->coupler, &inter);
  MPI_Intercomm_merge(model->coupler, model->is_ocean, &both);
  MPI_Comm_rank(both, &rank);
  MPI_Allreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, both);
  MPI_Comm_free(&both);
  return !inter + (sum != world_size * (world_size - 1) / 2) +
         (rank != (model->is_ocean ? model->remote + model->rank : model->rank));
}

int main(int argc, char** argv) {
  int rank, size, steps = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  require(size >= 2, "intercomm: two models need two ranks");
  compute_setup(rank, size);

  Model model = make_model(rank, size);
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    compute(model.is_ocean ? 3e-5 : 2e-5);
    MPI_Barrier(model.model);
    wrong += swap_fluxes(&model, step);
    wrong += swap_sums(&model, step);
    wrong += tell_atmosphere(&model, step);
  }
  wrong += merge_models(&model, rank, size);
  int status = verdict(wrong, "intercomm: %d ranks, %d steps", size, steps);
  MPI_Comm_free(&model.coupler);
  MPI_Comm_free(&model.model);
  MPI_Finalize();
  return status;
}
