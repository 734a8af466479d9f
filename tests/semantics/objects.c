// Objects that MPI gives out more than once, and what is freed and not freed.
#include <mpi.h>
#include <stddef.h>

// The group of a communicator is one object, however often it is asked for, until the last is freed.
//= rank *: MPI_Comm_group group=1
//= rank *: MPI_Comm_group group=1
//= rank *: MPI_Group_free group=1
//= rank *: MPI_Group_incl group=1 newgroup=2
//= rank *: MPI_Group_free group=1
//= rank *: MPI_Group_free group=2
//= rank *: MPI_Comm_group group=1
//= rank *: MPI_Group_free group=1
// So may be a datatype that another one is made of; or there are two.
//= rank *: MPI_Type_contiguous oldtype=MPI_INT newtype=type0 newtype_size=8
//= rank *: MPI_Type_contiguous oldtype=type0 newtype=type1 newtype_size=24
//= rank * on mpich: MPI_Type_get_contents datatype=type1 datatypes=[type0]
//= rank * on openmpi: MPI_Type_get_contents datatype=type1 datatypes=[type2]
//= rank * on mpich: MPI_Bcast datatype=type0
//= rank * on openmpi: MPI_Bcast datatype=type2
//= rank *: MPI_Bcast datatype=type1
// Too large for an int. Both numbers are free again.
//= rank *: MPI_Type_contiguous oldtype=MPI_CHAR newtype=type0 newtype_size=2147483647
//= rank *: MPI_Type_contiguous oldtype=type0 newtype=type2 newtype_size=8589934588
// It cannot be freed, and is still known.
//= rank *: MPI_Comm_dup newcomm=2
//= rank *: MPI_Barrier comm=2
//= losses: 2 calls that returned an error
static MPI_Comm dup;
static int refuse = 1;

static int refuse_once(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  return refuse-- > 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int buffer[6] = {0}, first[] = {0}, key;
  MPI_Group one, two, three;
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &one);
  MPI_Comm_group(MPI_COMM_WORLD, &two);
  MPI_Group_free(&one);
  MPI_Group_incl(two, 1, first, &three);
  MPI_Group_free(&two);
  MPI_Group_free(&three);
  MPI_Comm_group(MPI_COMM_WORLD, &one);
  MPI_Group_free(&one);

  MPI_Datatype pair, triple, content, large, larger;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_contiguous(3, pair, &triple);
  MPI_Type_commit(&triple);
  int integers[1];
  MPI_Aint addresses[1];
  MPI_Type_get_contents(triple, 1, 0, 1, integers, addresses, &content);
  MPI_Type_free(&pair);
  MPI_Bcast(buffer, 1, content, 0, MPI_COMM_WORLD);
  MPI_Type_free(&content);
  MPI_Bcast(buffer, 1, triple, 0, MPI_COMM_WORLD);
  MPI_Type_contiguous(2147483647, MPI_CHAR, &large);
  MPI_Type_contiguous(4, large, &larger);

  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_set_errhandler(dup, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_once, &key, NULL);
  MPI_Comm_set_attr(dup, key, &refuse);
  MPI_Comm same = dup;
  if (MPI_Comm_free(&dup) == MPI_SUCCESS) return 1;
  dup = same;
  MPI_Barrier(dup);
  MPI_Finalize();
  return 0;
}
