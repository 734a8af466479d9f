# An interpreter that has mpi4py in ${python_with_mpi4py}; empty: there is none.
set(python_with_mpi4py)
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "import mpi4py; assert mpi4py.__version__ >= '3.1'" RESULT_VARIABLE failed
                  OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed AND NOT python_with_mpi4py)
    set(python_with_mpi4py ${candidate})
  endif()
endforeach()
