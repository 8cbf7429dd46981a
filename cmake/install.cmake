# cmake --install: the program, the library as one archive with its headers, packages for CMake and
# pkg-config, pages for man and bash. Components: program, development, python.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ---- the library: all modules in one archive ---------------------------------------------------

get_property(modules GLOBAL PROPERTY HAMILTREE_MODULES)
add_library(hamiltree_archive STATIC)
set_target_properties(hamiltree_archive PROPERTIES OUTPUT_NAME hamiltree EXPORT_NAME hamiltree
                      LINKER_LANGUAGE CXX)
target_compile_features(hamiltree_archive PUBLIC cxx_std_20)
target_include_directories(hamiltree_archive INTERFACE $<INSTALL_INTERFACE:include>)
foreach(module IN LISTS modules)
  target_sources(hamiltree_archive PRIVATE $<TARGET_OBJECTS:${module}>)
endforeach()
target_link_libraries(hamiltree_archive PUBLIC Eigen3::Eigen
                      PRIVATE Sundials::sundials pugixml::pugixml tomlplusplus::tomlplusplus
                              yaml-cpp ${HAMILTREE_QUADMATH} ${HAMILTREE_HDF5} ${HAMILTREE_ZLIB})
set(libraries sundials_arkode sundials_cvode sundials_nvecserial pugixml tomlplusplus yaml-cpp
              ${HAMILTREE_QUADMATH} ${HAMILTREE_HDF5} ${HAMILTREE_ZLIB})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hamiltree)
install(TARGETS hamiltree_archive EXPORT hamiltree_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT hamiltree_targets NAMESPACE hamiltree:: FILE hamiltreeTargets.cmake
        DESTINATION ${package} COMPONENT development)
# Headers of readers of other formats see libraries that users need not have.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/hamiltree DESTINATION include COMPONENT development
        FILES_MATCHING PATTERN "*.hpp"
        PATTERN "io/import" EXCLUDE PATTERN "export/model" EXCLUDE PATTERN "export/report" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/src/hamiltree/io/import/import_log.hpp
        DESTINATION include/hamiltree/io/import COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/generated/hamiltree/base/version.hpp
              ${PROJECT_BINARY_DIR}/generated/hamiltree/base/compiled_sets.hpp
        DESTINATION include/hamiltree/base COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hamiltreeConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/hamiltreeConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hamiltreeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hamiltreeConfig.cmake
              ${PROJECT_BINARY_DIR}/hamiltreeConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake
        DESTINATION ${package} COMPONENT development)

list(TRANSFORM libraries PREPEND -l)
list(JOIN libraries " " HAMILTREE_PRIVATE_LIBRARIES)
file(RELATIVE_PATH HAMILTREE_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/hamiltree.pc.in ${PROJECT_BINARY_DIR}/hamiltree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hamiltree.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- the program -------------------------------------------------------------------------------

install(TARGETS hamiltree_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/mechanisms DESTINATION ${CMAKE_INSTALL_DATADIR}/hamiltree
        COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/pages/hamiltree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/pages/hamiltree.bash RENAME hamiltree
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)

# ---- Debian packages: cpack -G DEB -------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hamiltree)
set(CPACK_PACKAGE_CONTACT "the hamiltree authors")  # no address: whoever gives packages out has one
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
if(TARGET hamiltree_native)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}: the program and its mechanisms")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}: the C++ library")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}: the Python package")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME hamiltree)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gnuplot-nox, gcc") # for generated code
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhamiltree-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libeigen3-dev, libsundials-dev, libpugixml-dev, libyaml-cpp-dev, libtomlplusplus-dev")
if(HAMILTREE_HDF5)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libhdf5-dev")
endif()
if(HAMILTREE_ZLIB)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", zlib1g-dev")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-hamiltree)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${HAMILTREE_DEBIAN_PYTHON}, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, gcc")
include(CPack)
