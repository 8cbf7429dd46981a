# hamiltree_for_instruction_sets(MODULE SOURCE [OPTIONS...]): compiles a source of a module once for each
# instruction set that the program chooses from when it runs, with HAMILTREE_SET the name of the
# set's constant. Products and sums become one instruction where there is one. Such a source sees
# no library but the standard one: what others compile inline must not depend on a set. Further
# arguments are options of the compiler.
function(hamiltree_for_instruction_sets module source)
  set(sets kBaseline)
  set(options_kBaseline "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT HAMILTREE_ONE_INSTRUCTION_SET)
    list(APPEND sets kAvx2 kAvx512)
    # For processors of before 2013, where eight lanes are four times the code: it need only be right.
    set(options_kBaseline -O1 -DHAMILTREE_FALLBACK_SET)
    set(options_kAvx2 -mavx2 -mfma)
    set(options_kAvx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
  endif()
  get_filename_component(path ${source} ABSOLUTE)
  get_target_property(sources hamiltree_${module} SOURCES)
  list(REMOVE_ITEM sources ${path})
  set_target_properties(hamiltree_${module} PROPERTIES SOURCES "${sources}")
  get_filename_component(folder ${source} DIRECTORY)
  string(REPLACE "/" "_" kernels hamiltree_${folder})
  foreach(set IN LISTS sets)
    add_library(${kernels}_${set} OBJECT ${path})
    target_include_directories(${kernels}_${set} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${kernels}_${set} PRIVATE hamiltree_options)
    target_compile_definitions(${kernels}_${set} PRIVATE HAMILTREE_SET=${set})
    target_compile_options(${kernels}_${set} PRIVATE -ffp-contract=fast -Wno-psabi ${ARGN}
                           ${options_${set}})
    hamiltree_position_independent(${kernels}_${set})
    set_property(GLOBAL APPEND PROPERTY HAMILTREE_MODULES ${kernels}_${set})
    target_sources(hamiltree_${module} PRIVATE $<TARGET_OBJECTS:${kernels}_${set}>)
  endforeach()
endfunction()
