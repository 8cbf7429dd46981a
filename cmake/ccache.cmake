# Reuse objects between builds where ccache is installed.
find_program(HAMILTREE_CCACHE ccache)
if(HAMILTREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HAMILTREE_CCACHE})
endif()
