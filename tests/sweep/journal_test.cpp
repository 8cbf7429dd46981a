#include "hamiltree/sweep/journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "support/own_path.hpp"

namespace hamiltree::test {
namespace {

namespace fs = std::filesystem;

class Journal : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::own_path("journal");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

SampleRecord record(std::uint64_t sample) {
  return {sample, {1.5, static_cast<double>(sample)}, {2.5}, {0.0, 1.0, 2.0}, {}};
}

TEST_F(Journal, GivesBackWhatWasAppended) {
  {
    JournalWriter one(journal_path(folder_, 0, 0, 0)), other(journal_path(folder_, 0, 1, 0));
    one.append(record(3));
    other.append({1, {}, {std::numeric_limits<double>::quiet_NaN()}, {}, "not a number"});
    one.append(record(0));
  }
  JournalIndex index(folder_, 5);
  EXPECT_EQ(index.count(), 3U);
  EXPECT_EQ(index.next_session(), 1);
  EXPECT_FALSE(index.has(2));
  EXPECT_EQ(index.read(3).parameters, record(3).parameters);
  EXPECT_EQ(index.read(3).trajectory, record(3).trajectory);
  EXPECT_EQ(index.read(0).outputs, record(0).outputs);
  EXPECT_EQ(index.read(1).failure, "not a number");
  EXPECT_TRUE(std::isnan(index.read(1).outputs[0]));
  remove_journals(folder_);
  EXPECT_TRUE(fs::is_empty(folder_));
}

// However many bytes of it arrived, half a record is none, and those before it stay.
TEST_F(Journal, KeepsAllButARecordThatWasCutShort) {
  const auto file = journal_path(folder_, 0, 0, 0);
  {
    JournalWriter writer(file);
    writer.append(record(0));
  }
  const auto whole = fs::file_size(file);
  {
    JournalWriter writer(journal_path(folder_, 1, 0, 0));
    writer.append(record(0));
    writer.append(record(1));
  }
  for (std::uintmax_t size = whole; size < 2 * whole; ++size) {
    fs::resize_file(journal_path(folder_, 1, 0, 0), size);
    fs::remove(file);
    const JournalIndex index(folder_, 2);
    EXPECT_EQ(index.count(), 1U) << size;
    EXPECT_TRUE(index.has(0));
    fs::resize_file(journal_path(folder_, 1, 0, 0), 2 * whole);
  }
}

TEST_F(Journal, KnowsARecordThatIsNotWhatWasWritten) {
  const auto file = journal_path(folder_, 0, 0, 0);
  {
    JournalWriter writer(file);
    writer.append(record(0));
  }
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(60);
    bytes.put('x');
  }
  EXPECT_EQ(JournalIndex(folder_, 2).count(), 0U);
}

TEST_F(Journal, IsNeverWrittenOver) {
  const JournalWriter writer(journal_path(folder_, 0, 0, 0));
  EXPECT_THROW(JournalWriter(journal_path(folder_, 0, 0, 0)), std::runtime_error);
}

}  // namespace
}  // namespace hamiltree::test
