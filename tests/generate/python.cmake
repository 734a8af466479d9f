# Every workload, recorded, written as a benchmark in Python and recorded again, with Open MPI: Debian's mpi4py is built
# for it.
include(${CMAKE_CURRENT_LIST_DIR}/../support/mpi4py.cmake)
if(NOT python_with_mpi4py)
  message(STATUS "Benchmarks in Python are not tested: no Python has mpi4py 3.1")
  return()
endif()

add_test(NAME generate.python.table COMMAND ${python_with_mpi4py} ${PROJECT_SOURCE_DIR}/spec/python_calls.py)

# Its ranks have several threads.
set(python_refused_threads "several threads")
# mpi4py 3.1.4 crashes in MPI_Ireduce_scatter with MPI_IN_PLACE, over Open MPI 4.1.4.
set(python_without collectives_nonblocking)
set(python_golden stencil2d reductions multigrid subcomms wavefront pipeline)

macro(generate_in_python name rule)
  if(NOT ${name} IN_LIST python_without)
    valid_ranks(${rule} counts 4 9 16 64)
    foreach(n ${counts})
      set(more)
      if(DEFINED python_refused_${name})
        set(more --refused "${python_refused_${name}}")
      elseif(n EQUAL 4 AND ${name} IN_LIST python_golden)
        set(more --golden ${CMAKE_CURRENT_SOURCE_DIR}/goldens/${name}.py)
      endif()
      set(test generate.python.${name}.openmpi.${n})
      add_test(NAME ${test}
               COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/python_benchmark.py
                       --reprise $<TARGET_FILE:reprise> --mpi openmpi --ranks ${n} --python ${python_with_mpi4py}
                       ${free_${name}} ${more} --waiting $<TARGET_FILE:cheap_waiting> -- ${ARGN})
      set_tests_properties(${test} PROPERTIES LABELS generate TIMEOUT 300)
      if(n GREATER 4)
        set_tests_properties(${test} PROPERTIES LABELS "generate;long" TIMEOUT 900)
      endif()
    endforeach()
  endif()
endmacro()

if(TARGET reprise-openmpi)
  for_each_workload(openmpi generate_in_python)
  add_test(NAME generate.python.objects.openmpi
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/python_benchmark.py
                   --reprise $<TARGET_FILE:reprise> --mpi openmpi --ranks 3 --python ${python_with_mpi4py}
                   --waiting $<TARGET_FILE:cheap_waiting> -- ${CMAKE_CURRENT_BINARY_DIR}/objects_openmpi)
  set_tests_properties(generate.python.objects.openmpi PROPERTIES LABELS generate TIMEOUT 300)
endif()
