#include "hamiltree/io/import/csv_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace hamiltree::test {
namespace {

CsvTable read(const std::string& text) {
  std::istringstream in(text);
  return read_csv_table(in, "table.csv");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(CsvTable, ReadsNamesAndColumns) {
  const auto table = read("t,\"a,b\",\"say \"\"c\"\"\"\r\n0,1.5,-2e-3\n0.1,nan,inf\n");
  EXPECT_EQ(table.names, (std::vector<std::string>{"t", "a,b", "say \"c\""}));
  ASSERT_NE(table.find("a,b"), nullptr);
  EXPECT_EQ((*table.find("t"))[1], 0.1);
  EXPECT_EQ((*table.find("say \"c\""))[0], -2e-3);
  EXPECT_EQ(table.find("d"), nullptr);
}

TEST(CsvTable, NamesTheLineThatIsWrong) {
  EXPECT_EQ(refusal(""), "table.csv:1: a line of names is missing");
  EXPECT_EQ(refusal("t,a\n0,1\n1,x\n"), "table.csv:3: holds what is no number");
  EXPECT_EQ(refusal("t,a\n0,1,2\n"), "table.csv:2: does not have 2 columns");
}

}  // namespace
}  // namespace hamiltree::test
