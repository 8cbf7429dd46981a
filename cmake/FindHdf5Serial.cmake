# Debian's serial HDF5: Hdf5Serial_INCLUDE_DIR and Hdf5Serial_LIBRARY. It lies in folders of its own, beside
# that of MPI.
find_path(Hdf5Serial_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(Hdf5Serial_LIBRARY NAMES hdf5_serial hdf5)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hdf5Serial REQUIRED_VARS Hdf5Serial_LIBRARY Hdf5Serial_INCLUDE_DIR)
