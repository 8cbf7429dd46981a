# Reuse objects between builds where ccache is installed. It takes precompiled headers only where it is told
# that their macros, and the time of day in them, need not be looked at.
find_program(HAMILTREE_CCACHE ccache)
if(HAMILTREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${HAMILTREE_CCACHE})
endif()
