# SUNDIALS' ARKODE, CVODE and serial vectors as the target Sundials::sundials. SUNDIALS' own package file also asks
# for every optional dependency that it was built with (OpenMP, MPI, PETSc), which we do not use.
find_path(Sundials_INCLUDE_DIR arkode/arkode_erkstep.h)
find_library(Sundials_ARKODE_LIBRARY sundials_arkode)
find_library(Sundials_CVODE_LIBRARY sundials_cvode)
find_library(Sundials_NVECSERIAL_LIBRARY sundials_nvecserial)
if(Sundials_INCLUDE_DIR)
  file(STRINGS ${Sundials_INCLUDE_DIR}/sundials/sundials_config.h line REGEX "define SUNDIALS_VERSION \"")
  string(REGEX REPLACE ".*\"([^\"]+)\".*" "\\1" Sundials_VERSION "${line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sundials
  REQUIRED_VARS Sundials_ARKODE_LIBRARY Sundials_CVODE_LIBRARY Sundials_NVECSERIAL_LIBRARY Sundials_INCLUDE_DIR
  VERSION_VAR Sundials_VERSION)

if(Sundials_FOUND AND NOT TARGET Sundials::sundials)
  add_library(Sundials::sundials INTERFACE IMPORTED)
  target_include_directories(Sundials::sundials SYSTEM INTERFACE ${Sundials_INCLUDE_DIR})
  target_link_libraries(Sundials::sundials INTERFACE ${Sundials_ARKODE_LIBRARY} ${Sundials_CVODE_LIBRARY}
                        ${Sundials_NVECSERIAL_LIBRARY})
endif()
