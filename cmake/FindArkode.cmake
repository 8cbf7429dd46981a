# SUNDIALS' ARKODE and serial vectors as the target Arkode::arkode. SUNDIALS' own package file also asks
# for every optional dependency that it was built with (OpenMP, MPI, PETSc), which we do not use.
find_path(Arkode_INCLUDE_DIR arkode/arkode_erkstep.h)
find_library(Arkode_LIBRARY sundials_arkode)
find_library(Arkode_NVECSERIAL_LIBRARY sundials_nvecserial)
if(Arkode_INCLUDE_DIR)
  file(STRINGS ${Arkode_INCLUDE_DIR}/sundials/sundials_config.h line REGEX "define SUNDIALS_VERSION \"")
  string(REGEX REPLACE ".*\"([^\"]+)\".*" "\\1" Arkode_VERSION "${line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arkode
  REQUIRED_VARS Arkode_LIBRARY Arkode_NVECSERIAL_LIBRARY Arkode_INCLUDE_DIR
  VERSION_VAR Arkode_VERSION)

if(Arkode_FOUND AND NOT TARGET Arkode::arkode)
  add_library(Arkode::arkode INTERFACE IMPORTED)
  target_include_directories(Arkode::arkode SYSTEM INTERFACE ${Arkode_INCLUDE_DIR})
  target_link_libraries(Arkode::arkode INTERFACE ${Arkode_LIBRARY} ${Arkode_NVECSERIAL_LIBRARY})
endif()
