// HDF5 files hold what the CSV files hold, read back by the library itself.
#include <gtest/gtest.h>

#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/trajectory_hdf5.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/own_path.hpp"

#ifdef HAMILTREE_HDF5
#include <hdf5.h>
#endif

namespace hamiltree::test {
namespace {

namespace fs = std::filesystem;

#ifdef HAMILTREE_HDF5

class Reader {
 public:
  explicit Reader(const fs::path& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {}
  ~Reader() { H5Fclose(file_); }

  std::vector<hsize_t> shape(const char* name) const {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return shape;
  }
  std::vector<double> numbers(const char* name) const {
    std::size_t count = 1;
    for (const auto size : shape(name)) count *= size;
    std::vector<double> values(count);
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    return values;
  }
  std::vector<std::string> texts(const char* name) const {
    std::vector<char*> pointers(shape(name).front());
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), type = H5Dget_type(set);
    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    std::vector<std::string> texts(pointers.begin(), pointers.end());
    for (char* pointer : pointers) H5free_memory(pointer);
    H5Tclose(type);
    H5Dclose(set);
    return texts;
  }

 private:
  hid_t file_;
};

TEST(Hdf5, KeepsTablesOfAnyLength) {
  const auto path = test::own_path("table.h5");
  {
    Hdf5File file(path);
    file.start_table("group/table", 3);
    for (int i = 0; i < 10000; ++i)
      file.append_row("group/table", std::vector{1.0 * i, 0.1 * i, -1.0 * i});
    file.start_table("empty", 2);
    file.write("names", std::vector<std::string>{"a", "", "the angle \xC3\xA9"});
    file.write("numbers", std::vector<std::uint64_t>{0, 3, 1ULL << 40U});
    file.close();
  }
  const Reader reader(path);
  EXPECT_EQ(reader.shape("group/table"), (std::vector<hsize_t>{10000, 3}));
  const auto values = reader.numbers("group/table");
  for (std::size_t i = 0; i < 10000; ++i) ASSERT_EQ(values[3 * i + 1], 0.1 * static_cast<int>(i));
  EXPECT_EQ(reader.shape("empty"), (std::vector<hsize_t>{0, 2}));
  EXPECT_EQ(reader.texts("names")[2], "the angle \xC3\xA9");
  EXPECT_EQ(reader.numbers("numbers")[2], 1099511627776.0);
  fs::remove(path);
}

TEST(Hdf5, HoldsATrajectory) {
  const auto path = test::own_path("trajectory.h5");
  const auto model = load(std::string(HAMILTREE_MECHANISMS) + "/four_bar/model.toml");
  const auto run = Simulation(model).run_until(0.1, 0.01);
  write_hdf5(run, path);
  const Reader reader(path);
  const auto names = reader.texts("trajectory/columns");
  const auto shape = reader.shape("trajectory/values");
  ASSERT_EQ(shape, (std::vector<hsize_t>{run.samples.size(), names.size()}));
  EXPECT_EQ(names[0], "t");
  EXPECT_EQ(names[1], "q.A");
  EXPECT_EQ(reader.texts("trajectory/units")[1], "rad");
  const auto values = reader.numbers("trajectory/values");
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    EXPECT_EQ(values[i * names.size()], run.samples[i].t);
    EXPECT_EQ(values[i * names.size() + 1], run.samples[i].q(0));
    EXPECT_EQ(values[(i + 1) * names.size() - 1], run.samples[i].sensors.tail(1)(0));
  }
  EXPECT_EQ(reader.shape("steps/values"), (std::vector<hsize_t>{run.steps.size(), 3}));
  EXPECT_NE(reader.texts("summary")[0].find("\"completed\""), std::string::npos);
  fs::remove(path);
}

#else

TEST(Hdf5, IsSaidToBeMissing) {
  EXPECT_FALSE(has_hdf5());
  EXPECT_THROW(check_hdf5(), UsageError);
}

#endif

}  // namespace
}  // namespace hamiltree::test
