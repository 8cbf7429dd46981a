// Two runs that want one folder.
#include "hamiltree/io/run_saver.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "hamiltree/base/scratch_folder.hpp"

namespace hamiltree::test {
namespace {

std::string refused_begin(RunSaver& saver) {
  try {
    saver.begin({});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(RunSaver, OneOfTwoMakesTheFolder) {
  const ScratchFolder scratch;
  for (const bool ends : {false, true}) {
    const auto folder = scratch / (ends ? "ends/run/" : "goes_on/run");
    std::optional<RunSaver> first(folder);
    RunSaver second(folder);
    first->begin({});
    if (ends) {
      first->publish();
      first.reset();
    }
    EXPECT_NE(refused_begin(second).find("another process"), std::string::npos) << folder;
    EXPECT_TRUE(std::filesystem::exists(folder / (ends ? "trajectory.csv" : kSavedSamplesFile)));
  }
}

// What stands there already is for the caller to allow; what an earlier run has saved goes.
TEST(RunSaver, TakesAFolderThatIsThere) {
  const ScratchFolder scratch;
  RunSaver(scratch.path()).begin({});
  RunSaver saver(scratch.path());
  EXPECT_EQ(refused_begin(saver), "");
  EXPECT_EQ(refused_begin(saver), "");  // of a run that is started anew
}

}  // namespace
}  // namespace hamiltree::test
