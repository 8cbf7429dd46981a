# Kernels for several instruction sets, of which the program takes the best when it runs.
set(HAMILTREE_INSTRUCTION_SETS all CACHE STRING
    "Instruction sets that kernels are compiled for: all, or host: the baseline and the best of this machine")
set_property(CACHE HAMILTREE_INSTRUCTION_SETS PROPERTY STRINGS all host)
if(NOT HAMILTREE_INSTRUCTION_SETS MATCHES "^(all|host)$")
  message(FATAL_ERROR "HAMILTREE_INSTRUCTION_SETS is \"${HAMILTREE_INSTRUCTION_SETS}\": must be all or host")
endif()

set(HAMILTREE_KERNELS_AVX2 OFF)
set(HAMILTREE_KERNELS_AVX512 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT HAMILTREE_ONE_INSTRUCTION_SET)
  if(HAMILTREE_INSTRUCTION_SETS STREQUAL "host")
    include(CheckCXXSourceRuns)
    check_cxx_source_runs("int main() {
      return !(__builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"avx512f\") &&
               __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512vl\"));
    }" HAMILTREE_HOST_HAS_AVX512)
  endif()
  if(HAMILTREE_INSTRUCTION_SETS STREQUAL "all" OR HAMILTREE_HOST_HAS_AVX512)
    set(HAMILTREE_KERNELS_AVX512 ON)
  endif()
  if(HAMILTREE_INSTRUCTION_SETS STREQUAL "all" OR NOT HAMILTREE_HOST_HAS_AVX512)
    set(HAMILTREE_KERNELS_AVX2 ON)
  endif()
endif()
configure_file(${PROJECT_SOURCE_DIR}/src/hamiltree/base/compiled_sets.hpp.in
               ${PROJECT_BINARY_DIR}/generated/hamiltree/base/compiled_sets.hpp)

# hamiltree_for_instruction_sets(MODULE SOURCE [ONLY SETS...] [OPTIONS ...]): compiles a source of a module
# once for each of them, or for those named, with HAMILTREE_SET the name of the set's constant. Products and
# sums become one instruction where there is one. Such a source sees no library but the standard one: what
# others compile inline must not depend on a set. OPTIONS are those of the compiler.
function(hamiltree_for_instruction_sets module source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ONLY;OPTIONS")
  set(sets kBaseline)
  set(options_kBaseline "")
  if(HAMILTREE_KERNELS_AVX2 OR HAMILTREE_KERNELS_AVX512)
    # For processors of before 2013, where eight lanes are four times the code: it need only be right.
    set(options_kBaseline -O1 -DHAMILTREE_PLAIN_CALLS)
  endif()
  if(HAMILTREE_KERNELS_AVX2)
    list(APPEND sets kAvx2)
    set(options_kAvx2 -mavx2 -mfma)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
      # Or g++ copies a Pack by halves of its registers, which the next load must wait for.
      list(APPEND options_kAvx2 -mmove-max=256 -mstore-max=256)
    endif()
  endif()
  if(HAMILTREE_KERNELS_AVX512)
    list(APPEND sets kAvx512)
    set(options_kAvx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
  endif()
  get_filename_component(path ${source} ABSOLUTE)
  get_target_property(sources hamiltree_${module} SOURCES)
  list(REMOVE_ITEM sources ${path})
  set_target_properties(hamiltree_${module} PROPERTIES SOURCES "${sources}")
  string(REGEX REPLACE "(/kernels)?\\.cpp$" "" stem ${source})
  string(REPLACE "/" "_" kernels hamiltree_${stem})
  foreach(set IN LISTS sets)
    if(arg_ONLY AND NOT set IN_LIST arg_ONLY)
      continue()
    endif()
    add_library(${kernels}_${set} OBJECT ${path})
    target_include_directories(${kernels}_${set} PRIVATE ${PROJECT_SOURCE_DIR}/src
                               ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(${kernels}_${set} PRIVATE hamiltree_options)
    target_compile_definitions(${kernels}_${set} PRIVATE HAMILTREE_SET=${set})
    target_compile_options(${kernels}_${set} PRIVATE -ffp-contract=fast -Wno-psabi ${arg_OPTIONS}
                           ${options_${set}})
    hamiltree_position_independent(${kernels}_${set})
    set_property(GLOBAL APPEND PROPERTY HAMILTREE_MODULES ${kernels}_${set})
    target_sources(hamiltree_${module} PRIVATE $<TARGET_OBJECTS:${kernels}_${set}>)
  endforeach()
endfunction()
