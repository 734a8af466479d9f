// Constants whose values differ between implementations have MPI's names in what is shown.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

//= shown: MPI_Init_thread required=MPI_THREAD_FUNNELED
//= shown: MPI_Comm_split_type split_type=MPI_COMM_TYPE_SHARED
//= shown: MPI_Comm_split_type split_type=MPI_UNDEFINED newcomm=NULL
//= shown: MPI_Win_fence assertion=MPI_MODE_NOSTORE|MPI_MODE_NOPUT|MPI_MODE_NOPRECEDE
//= shown: MPI_Win_fence assertion=MPI_MODE_NOSUCCEED
//= shown: MPI_Win_lock lock_type=MPI_LOCK_SHARED assertion=MPI_MODE_NOCHECK
//= shown: MPI_Win_lock lock_type=MPI_LOCK_EXCLUSIVE assertion=0
//= shown: MPI_File_open amode=MPI_MODE_WRONLY|MPI_MODE_CREATE|MPI_MODE_DELETE_ON_CLOSE|MPI_MODE_UNIQUE_OPEN
//= shown: MPI_File_open amode=MPI_MODE_RDWR|MPI_MODE_CREATE|MPI_MODE_DELETE_ON_CLOSE
//= shown: MPI_File_seek whence=MPI_SEEK_SET
//= shown: MPI_File_seek whence=MPI_SEEK_CUR
//= shown: MPI_File_seek whence=MPI_SEEK_END
//= shown: MPI_Type_create_subarray order=MPI_ORDER_FORTRAN
//= shown: MPI_Type_create_darray order=MPI_ORDER_C distribs=[MPI_DISTRIBUTE_BLOCK MPI_DISTRIBUTE_CYCLIC] dargs=[MPI_DISTRIBUTE_DFLT_DARG 1]
//= losses: none

static void window(int rank) {
  int memory[4] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, win);
  MPI_Win_unlock(rank, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
}

static void file(void) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/reprise-constants-%d", (int)getpid());
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, path,
                MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN,
                MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_seek(file, 0, MPI_SEEK_CUR);
  MPI_File_seek(file, 0, MPI_SEEK_END);
  MPI_File_close(&file);
}

static void types(void) {
  int sizes[] = {4, 4}, half[] = {2, 2}, starts[] = {0, 0}, grid[] = {1, 1};
  int how[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  int block[] = {MPI_DISTRIBUTE_DFLT_DARG, 1};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, half, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Type_create_darray(1, 0, 2, sizes, how, block, grid, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm near;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  MPI_Comm_free(&near);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &near);
  window(rank);
  if (rank == 0) file();
  types();
  MPI_Finalize();
  return 0;
}
