// The corpus of the fuzzers, in every build: what was once found stays found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fuzz/targets.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree::fuzz {
namespace {

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefused) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(HAMILTREE_FUZZ_CORPUS) / GetParam().name)) {
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(GetParam().run(read_text(entry.path())));
    ++files;
  }
  EXPECT_GT(files, 0);
}

// Seeds of an older format would be refused before there is anything to find.
TEST(Seeds, OfRunsAreReadToTheirEnd) {
  const std::filesystem::path corpus(HAMILTREE_FUZZ_CORPUS);
  checkpoint(read_text(corpus / "checkpoint" / "pendulum"));
  EXPECT_TRUE(last_run_was_read());
  recording(read_text(corpus / "recording" / "pendulum"));
  EXPECT_TRUE(last_run_was_read());
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(kTargets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hamiltree::fuzz
