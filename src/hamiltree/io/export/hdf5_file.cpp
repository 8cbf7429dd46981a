#include "hamiltree/io/export/hdf5_file.hpp"

#include <stdexcept>

#include "hamiltree/base/error.hpp"

#ifdef HAMILTREE_HDF5

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace hamiltree {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;
constexpr hsize_t kChunkBytes = 1U << 18U;

}  // namespace

bool has_hdf5() { return true; }

struct Hdf5File::Handles {
  struct Table {
    hid_t id = H5I_INVALID_HID;
    hsize_t columns = 0, rows = 0;
    std::vector<double> waiting;
  };

  explicit Handles(std::filesystem::path name) : path(std::move(name)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    links = H5Pcreate(H5P_LINK_CREATE);
    if (check(file) >= 0) H5Pset_create_intermediate_group(links, 1);
  }
  ~Handles() {
    for (const auto& [name, table] : tables) H5Dclose(table.id);
    if (links >= 0) H5Pclose(links);
    if (file >= 0) H5Fclose(file);
  }

  template <class Result>
  Result check(Result result) const {
    if (result < 0) throw std::runtime_error("cannot write " + path.string() + ": HDF5 failed");
    return result;
  }
  void write(const std::string& name, hid_t type, std::size_t count, const void* data) {
    const hsize_t size = count;
    const hid_t space = check(H5Screate_simple(1, &size, nullptr));
    const hid_t set =
        check(H5Dcreate2(file, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT));
    if (count > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    H5Dclose(set);
    H5Sclose(space);
  }
  void flush(Table& table) {
    const hsize_t count = table.columns == 0 ? 0 : table.waiting.size() / table.columns;
    if (count == 0) return;
    const std::array<hsize_t, 2> size{table.rows + count, table.columns};
    check(H5Dset_extent(table.id, size.data()));
    const std::array<hsize_t, 2> start{table.rows, 0}, block{count, table.columns};
    const hid_t space = check(H5Dget_space(table.id));
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr));
    const hid_t memory = check(H5Screate_simple(2, block.data(), nullptr));
    check(H5Dwrite(table.id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, table.waiting.data()));
    H5Sclose(memory);
    H5Sclose(space);
    table.rows += count;
    table.waiting.clear();
  }

  std::filesystem::path path;
  hid_t file = H5I_INVALID_HID, links = H5I_INVALID_HID;
  std::map<std::string, Table> tables;
};

Hdf5File::Hdf5File(const std::filesystem::path& path) : handles_(std::make_unique<Handles>(path)) {}
Hdf5File::~Hdf5File() = default;

void Hdf5File::start_table(const std::string& name, std::size_t columns) {
  auto& h = *handles_;
  const std::array<hsize_t, 2> size{0, columns}, largest{H5S_UNLIMITED, columns};
  const hsize_t rows = std::max<hsize_t>(1, kChunkBytes / sizeof(double) / (columns + 1));
  const std::array<hsize_t, 2> chunk{rows, std::max<hsize_t>(1, columns)};
  const hid_t space = h.check(H5Screate_simple(2, size.data(), largest.data()));
  const hid_t layout = h.check(H5Pcreate(H5P_DATASET_CREATE));
  h.check(H5Pset_chunk(layout, 2, chunk.data()));
  h.tables[name] = {h.check(H5Dcreate2(h.file, name.c_str(), H5T_NATIVE_DOUBLE, space, h.links,
                                       layout, H5P_DEFAULT)),
                    columns,
                    0,
                    {}};
  H5Pclose(layout);
  H5Sclose(space);
}

void Hdf5File::append_row(const std::string& name, std::span<const double> row) {
  auto& table = handles_->tables.at(name);
  table.waiting.insert(table.waiting.end(), row.begin(), row.end());
  if (table.waiting.size() >= kRowsAtOnce * table.columns) handles_->flush(table);
}

void Hdf5File::write(const std::string& name, const std::vector<std::uint64_t>& numbers) {
  handles_->write(name, H5T_NATIVE_UINT64, numbers.size(), numbers.data());
}

void Hdf5File::write(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  const hid_t type = handles_->check(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  handles_->write(name, type, pointers.size(), pointers.data());
  H5Tclose(type);
}

void Hdf5File::close() {
  for (auto& [name, table] : handles_->tables) handles_->flush(table);
  handles_->check(H5Fflush(handles_->file, H5F_SCOPE_LOCAL));
}

}  // namespace hamiltree

#else

namespace hamiltree {

bool has_hdf5() { return false; }

struct Hdf5File::Handles {};

Hdf5File::Hdf5File(const std::filesystem::path&) { check_hdf5(); }
Hdf5File::~Hdf5File() = default;
void Hdf5File::start_table(const std::string&, std::size_t) {}
void Hdf5File::append_row(const std::string&, std::span<const double>) {}
void Hdf5File::write(const std::string&, const std::vector<std::uint64_t>&) {}
void Hdf5File::write(const std::string&, const std::vector<std::string>&) {}
void Hdf5File::close() {}

}  // namespace hamiltree

#endif

namespace hamiltree {

void check_hdf5() {
  if (has_hdf5()) return;
  throw UsageError(
      "this program was built without HDF5: install libhdf5-dev, then configure and build again");
}

void Hdf5File::write_channels(const std::string& name, const std::vector<Channel>& channels) {
  std::vector<std::string> names, units;
  for (const auto& channel : channels) {
    names.push_back(channel.name);
    units.push_back(channel.unit);
  }
  write(name + "/columns", names);
  write(name + "/units", units);
}

}  // namespace hamiltree
