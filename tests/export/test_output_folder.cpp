// The output folder: all four files or an error that names the path, never half a file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "export/sample_recording.hpp"
#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

class OutputFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = test::own_path(info->name());
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path root_;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

std::string error_of(const fs::path& folder) {
  try {
    write_output_folder(test::double_pendulum(3), folder);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(OutputFolder, IsMadeAndHoldsFourFiles) {
  const fs::path folder = root_ / "a" / "b";
  const Recording recording = test::four_bar();
  write_output_folder(recording, folder);
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"summary.json", "trajectory.csv", "steps.csv", "report.html"}));
  EXPECT_EQ(read(folder / "summary.json"), to_json(recording.summary));
  EXPECT_EQ(read(folder / "report.html"), to_report(recording));
  std::ostringstream table;
  write_csv(recording, table);
  EXPECT_EQ(read(folder / "trajectory.csv"), table.str());
}

TEST_F(OutputFolder, ReplacesAnEarlierRunAndKeepsOtherFiles) {
  write(root_ / "summary.json", "old");
  write(root_ / "notes.txt", "mine");
  write_output_folder(test::double_pendulum(3), root_);
  EXPECT_NE(read(root_ / "summary.json"), "old");
  EXPECT_EQ(read(root_ / "notes.txt"), "mine");
}

TEST_F(OutputFolder, FailureWhileWritingLeavesTheEarlierRun) {
  write_output_folder(test::double_pendulum(3), root_);
  const std::string before = read(root_ / "report.html");
  Recording broken = test::double_pendulum(5);
  broken.samples[4].q.resize(1);
  EXPECT_THROW(write_output_folder(broken, root_), std::invalid_argument);
  EXPECT_EQ(read(root_ / "report.html"), before);
  EXPECT_EQ(names_in(root_).size(), 4u);
}

TEST_F(OutputFolder, PlaceTakenByAFolderIsAnErrorWithoutLeftovers) {
  fs::create_directories(root_ / "report.html" / "inside");
  const std::string error = error_of(root_);
  EXPECT_EQ(error.find("cannot write " + (root_ / "report.html").string() + ": "), 0u) << error;
  EXPECT_EQ(names_in(root_), (std::set<std::string>{"report.html"}));
}

TEST_F(OutputFolder, FolderThatCannotBeMadeIsNamed) {
  write(root_ / "file", "in the way");
  const fs::path folder = root_ / "file" / "out";
  EXPECT_EQ(error_of(folder), "cannot write " + folder.string() + ": " + std::strerror(ENOTDIR));
}

TEST_F(OutputFolder, FullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const fs::path part = root_ / (".report.html." + std::to_string(getpid()) + ".part");
  fs::create_symlink("/dev/full", part);
  const std::string error = error_of(root_);
  EXPECT_EQ(error,
            "cannot write " + (root_ / "report.html").string() + ": " + std::strerror(ENOSPC));
  EXPECT_TRUE(names_in(root_).empty());
}

}  // namespace
}  // namespace hamiltree
