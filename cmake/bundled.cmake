# The libraries from third_party/, compiled here and linked statically: what wheels are made of, so that
# they need nothing of the system but the C library. What only the system can give is left out: HDF5, MPI, zlib.
set(CMAKE_DISABLE_FIND_PACKAGE_Hdf5Serial ON)
set(CMAKE_DISABLE_FIND_PACKAGE_ZLIB ON)
set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)

# A wheel holds the engine twice, in the program and in the module: what nothing calls is left out.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)

set(third_party ${PROJECT_SOURCE_DIR}/third_party)
if(NOT EXISTS ${third_party})  # a clone; source distributions have it
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/dev bundle COMMAND_ERROR_IS_FATAL ANY)
endif()

foreach(target Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11 tomlplusplus::tomlplusplus
               CppHttplib::cpp-httplib)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE ${third_party}/include)
endforeach()
target_link_libraries(CppHttplib::cpp-httplib INTERFACE Threads::Threads)

# Their versions, which the program says.
file(STRINGS ${third_party}/include/Eigen/src/Core/util/Macros.h lines
     REGEX "EIGEN_(WORLD|MAJOR|MINOR)_VERSION [0-9]")
string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
list(JOIN numbers . Eigen3_VERSION)
file(STRINGS ${third_party}/sundials/CMakeLists.txt lines
     REGEX "set\\(PACKAGE_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
list(JOIN numbers . Sundials_VERSION)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
file(GLOB sources ${third_party}/yaml-cpp/src/*.cpp)
add_library(yaml-cpp STATIC ${sources})
target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)
target_include_directories(yaml-cpp SYSTEM PUBLIC ${third_party}/yaml-cpp/include)
target_compile_options(yaml-cpp PRIVATE -include cstdint)  # which it forgets, and g++ 15 no longer brings

add_library(pugixml STATIC ${third_party}/pugixml/src/pugixml.cpp)
add_library(pugixml::pugixml ALIAS pugixml)
target_include_directories(pugixml SYSTEM PUBLIC ${third_party}/pugixml/src)

enable_language(C)
foreach(option BUILD_CVODES BUILD_IDA BUILD_IDAS BUILD_KINSOL BUILD_SHARED_LIBS EXAMPLES_ENABLE_C
               EXAMPLES_INSTALL)
  set(${option} OFF CACHE INTERNAL "Of SUNDIALS")
endforeach()
add_subdirectory(${third_party}/sundials EXCLUDE_FROM_ALL SYSTEM)
add_library(Sundials::sundials INTERFACE IMPORTED)
target_link_libraries(Sundials::sundials INTERFACE sundials_arkode_static sundials_cvode_static
                                                   sundials_nvecserial_static)

# The C++ library, too. What a static library defines is nobody else's in Python's process. libgcc stays
# the system's, as in every wheel: exceptions need one unwinder.
add_library(hamiltree_older_libc STATIC ${CMAKE_CURRENT_LIST_DIR}/older_libc.c)
target_link_libraries(hamiltree_options INTERFACE hamiltree_older_libc)
target_link_options(hamiltree_options INTERFACE -static-libstdc++ LINKER:--exclude-libs,ALL
                    LINKER:--undefined=arc4random)
