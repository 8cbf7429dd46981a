# Debian's cpp-httplib as the target CppHttplib::cpp-httplib. The library was compiled with TLS and compression,
# which are part of its classes' layout: whoever includes the header must say so too.
find_path(CppHttplib_INCLUDE_DIR httplib.h)
find_library(CppHttplib_LIBRARY cpp-httplib)
find_package(Threads)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CppHttplib REQUIRED_VARS CppHttplib_LIBRARY CppHttplib_INCLUDE_DIR Threads_FOUND)

if(CppHttplib_FOUND AND NOT TARGET CppHttplib::cpp-httplib)
  add_library(CppHttplib::cpp-httplib INTERFACE IMPORTED)
  target_include_directories(CppHttplib::cpp-httplib SYSTEM INTERFACE ${CppHttplib_INCLUDE_DIR})
  target_compile_definitions(CppHttplib::cpp-httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT
                             CPPHTTPLIB_BROTLI_SUPPORT)
  target_link_libraries(CppHttplib::cpp-httplib INTERFACE ${CppHttplib_LIBRARY} Threads::Threads)
endif()
