# Reuse objects between builds where ccache is installed. It takes precompiled headers only where it is told
# that their macros, and the time of day in them, need not be looked at. It knows them by the contents of the files
# that they are made of (its depend mode) and not by their preprocessed text: g++ does, too, and would read a
# header a second time that is not the same in all its comments as the one that was precompiled.
find_program(HAMILTREE_CCACHE ccache)
if(HAMILTREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_NAMESPACE=hamiltree CCACHE_SLOPPINESS=pch_defines,time_macros
      ${HAMILTREE_CCACHE})
endif()
