// Places for files of tests.
#include "support/own_path.hpp"

#include <gtest/gtest.h>

namespace hamiltree::test {
namespace {

TEST(OwnPath, LiesInNoFolderThatTestsLeaveBehind) {
  EXPECT_EQ(own_path("Runs/Interrupted_GoOn/2").parent_path(),
            std::filesystem::temp_directory_path());
}

}  // namespace
}  // namespace hamiltree::test
