# hamiltree_module(NAME [LINKS ...]): one target per folder of src/hamiltree, with exactly the links
# that the layer table of docs/architecture.md allows it. Sources are all *.cpp of the folder.

add_library(hamiltree_options INTERFACE)
target_compile_features(hamiltree_options INTERFACE cxx_std_20)
target_compile_options(hamiltree_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 reports overlapping copies in std::string's own operator+ (GCC bug 105651).
  target_compile_options(hamiltree_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Collects garbage later: a tenth of the compiler's time for a few hundred megabytes.
  target_compile_options(hamiltree_options INTERFACE --param=ggc-min-heapsize=512000)
endif()
if(HAMILTREE_WERROR)
  target_compile_options(hamiltree_options INTERFACE -Werror)
endif()
# Indices and arguments of the standard library are checked, but for releases: kernels take a tenth longer.
target_compile_definitions(hamiltree_options INTERFACE $<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)
if(HAMILTREE_SANITIZE)
  target_compile_options(hamiltree_options INTERFACE -fsanitize=${HAMILTREE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hamiltree_options INTERFACE -fsanitize=${HAMILTREE_SANITIZE})
  if(HAMILTREE_SANITIZE STREQUAL "address,undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The sanitizer of addresses looks at each access as well: half of the compiler's time. The fuzzers, by
    # clang, have all checks.
    target_compile_options(hamiltree_options INTERFACE -fno-sanitize=null,object-size,pointer-overflow)
  endif()
endif()
# Kernels for several instruction sets need all that they call to be inlined. Without an optimiser it
# is not, and under sanitizers it takes minutes a source: then there is the baseline only, with plain calls.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR HAMILTREE_SANITIZE)
  set(HAMILTREE_ONE_INSTRUCTION_SET ON)
  target_compile_definitions(hamiltree_options INTERFACE HAMILTREE_ONE_INSTRUCTION_SET HAMILTREE_PLAIN_CALLS)
endif()
if(HAMILTREE_FUZZ)
  # Counters by which libFuzzer follows the program; each fuzzer links them (tests/fuzz).
  target_compile_options(hamiltree_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(hamiltree_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The Python module is a shared object made of the same objects as the program. What is hidden may be
# inlined and called as directly as in a program.
function(hamiltree_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# Sources of a target are compiled several at a time, for their headers take longer than they do.
# Those with options of their own are compiled alone.
function(hamiltree_in_batches target size)
  if(HAMILTREE_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()

# hamiltree_precompile(TARGET HEADERS...): these headers, and those of the tables that all computation reads,
# are compiled once, for TARGET and for all of hamiltree_precompiled(TARGETS... FROM TARGET). These have the same
# options: g++ takes headers of another level of optimisation without a word, and compiles all at that level.
# Sources with a level of their own read headers as they are. All sources include what they need: lint, which
# compiles each alone and without precompiled headers, holds them to it.
function(hamiltree_precompile target)
  if(HAMILTREE_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <charconv> <chrono> <cmath> <fstream> <functional> <limits> <map> <memory>
      <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <unordered_map> <utility>
      <variant> <vector> <Eigen/Core> <Eigen/Geometry> ${ARGN}
      ${PROJECT_SOURCE_DIR}/src/hamiltree/model/model.hpp)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
  endif()
endfunction()

function(hamiltree_precompiled)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "FROM" "")
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    if(HAMILTREE_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
      target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
  endforeach()
endfunction()

# hamiltree_cold(TARGET): what reads, plans, writes and prints runs once for each run or step, not for
# each evaluation. A fourth less to compile.
function(hamiltree_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# hamiltree_colder(TARGET): what no step waits for either. Wheels, which have the engine twice, get it small.
function(hamiltree_colder target)
  set(level $<IF:$<BOOL:${HAMILTREE_BUNDLED}>,-Os,-O1>)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# hamiltree_cold_part(MODULE SOURCES...): likewise, of a module whose other sources are hot.
function(hamiltree_cold_part module)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE cold)
  set(target hamiltree_${module})
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${cold})
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  add_library(${target}_cold OBJECT ${cold})
  target_link_libraries(${target}_cold PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)
  target_include_directories(${target}_cold PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  hamiltree_position_independent(${target}_cold)
  hamiltree_in_batches(${target}_cold 8)
  hamiltree_cold(${target}_cold)
  set_property(GLOBAL APPEND PROPERTY HAMILTREE_MODULES ${target}_cold)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
endfunction()

# hamiltree_hot(SOURCES...): sources of a cold target that are in every evaluation or step.
function(hamiltree_hot)
  set_source_files_properties(${ARGV} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>
                              SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# hamiltree_inlined(SOURCES...): sources in which everything small is to be inlined. g++ stops at a share of the
# source's size, and products of small matrices become calls that pass them through memory.
function(hamiltree_inlined)
  set(limits max-inline-insns-single=1000 max-inline-insns-auto=300 early-inlining-insns=100
             inline-unit-growth=5000 large-function-growth=10000 large-stack-frame-growth=100000)
  list(TRANSFORM limits PREPEND --param=)
  set_property(SOURCE ${ARGV} APPEND PROPERTY COMPILE_OPTIONS
               "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:${limits}>")
  set_source_files_properties(${ARGV} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# hamiltree_alone(SOURCES...): sources that are long enough to compile as they are.
function(hamiltree_alone)
  set_source_files_properties(${ARGV} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# BATCH: how many of its sources are compiled at a time; more where headers are most of the work.
function(hamiltree_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BATCH" "LINKS")
  set(folder ${PROJECT_SOURCE_DIR}/src/hamiltree/${name})
  string(REPLACE "/" "_" target hamiltree_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    set_property(GLOBAL APPEND PROPERTY HAMILTREE_MODULES ${target})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src
                             ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} ${scope} hamiltree_options ${arg_LINKS})
  hamiltree_position_independent(${target})
  if(NOT arg_BATCH)
    set(arg_BATCH 8)
  endif()
  hamiltree_in_batches(${target} ${arg_BATCH})
endfunction()
