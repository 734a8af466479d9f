# The engine for WebAssembly: the reader, the timing tree and the simulator as they are, by clang and libc++ from Debian
# (clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc).
# REPRISE_ENGINE: the file, or empty where there is no such compiler.
set(REPRISE_ENGINE "")
find_program(REPRISE_WASM_COMPILER NAMES clang++-22 clang++-21 clang++-20 clang++-19 clang++
             DOC "A clang++ that has libc++ for wasm32-wasi")
set(flags --target=wasm32-wasi -std=c++20 -O2 -fno-exceptions)
set(works FALSE)
if(REPRISE_WASM_COMPILER)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/try.cpp "#include <string>\nextern \"C\" int f() { return std::stoi(\"1\"); }\n")
  execute_process(
    COMMAND ${REPRISE_WASM_COMPILER} ${flags} -mexec-model=reactor ${CMAKE_CURRENT_BINARY_DIR}/try.cpp
            -o ${CMAKE_CURRENT_BINARY_DIR}/try.wasm
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(works TRUE)
  endif()
endif()
if(NOT works)
  message(STATUS "No compiler for WebAssembly (src/report/engine/wasm.cmake names its packages): the pages of "
                 "`reprise report` will have no engine")
  return()
endif()

# What is beside the engine itself, but what reads files or binaries.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
     ${PROJECT_SOURCE_DIR}/src/expr/*.cpp ${PROJECT_SOURCE_DIR}/src/trace/*.cpp ${PROJECT_SOURCE_DIR}/src/mpi/*.cpp
     ${PROJECT_SOURCE_DIR}/src/simulate/*.cpp ${PROJECT_SOURCE_DIR}/src/report/engine/*.cpp)
list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|trace/file/flat_log|simulate/machine/machine_file")
list(APPEND sources base/escape.cpp base/nearest.cpp base/printable.cpp base/utf8.cpp analyze/times/timing_tree.cpp)

# {fmt}, xxHash and JSON are headers of the system; nothing else of it may be met before the compiler's own.
set(compile ${flags} -ffunction-sections -fdata-sections -DNDEBUG -DFMT_HEADER_ONLY
    -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/generated -idirafter /usr/include)
set(objects)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/wasm)
file(MAKE_DIRECTORY ${folder})
# Several sources of a stage at a time, as the other targets are compiled.
foreach(stage base expr trace mpi simulate analyze report)
  set(left ${sources})
  list(FILTER left INCLUDE REGEX "^${stage}/")
  set(number 0)
  while(left)
    list(SUBLIST left 0 8 together)
    list(REMOVE_ITEM left ${together})
    set(unit ${folder}/${stage}_${number}.cpp)
    math(EXPR number "${number} + 1")
    list(TRANSFORM together PREPEND "#include \"" OUTPUT_VARIABLE includes)
    list(TRANSFORM includes APPEND "\"\n")
    list(JOIN includes "" includes)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
    add_custom_command(
      OUTPUT ${unit}.o
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${REPRISE_WASM_COMPILER} ${compile} -MD -MF ${unit}.o.d -c ${unit} -o ${unit}.o
      DEPENDS ${unit} reprise_tables
      DEPFILE ${unit}.o.d
      COMMENT "Compiling ${stage} for WebAssembly, part ${number}")
    list(APPEND objects ${unit}.o)
  endwhile()
endforeach()
set(engine ${PROJECT_BINARY_DIR}/generated/report_engine.wasm)
add_custom_command(
  OUTPUT ${engine}
  COMMAND ${REPRISE_WASM_COMPILER} ${flags} -mexec-model=reactor -Wl,--gc-sections,--strip-all
          -Wl,-z,stack-size=1048576 ${objects} -o ${engine}
  DEPENDS ${objects}
  COMMENT "Linking the engine of the page")
set(REPRISE_ENGINE ${engine})
