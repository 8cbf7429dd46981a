// Documents: the page, Markdown, tables and plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "hamiltree/io/export/document/document_folder.hpp"
#include "hamiltree/io/export/document/page.hpp"
#include "hamiltree/io/export/document/plot.hpp"
#include "support/own_path.hpp"

namespace hamiltree::test {
namespace {

namespace fs = std::filesystem;

Figure growth() {
  return {"growth",
          "Growth of <x>",
          {"bodies", "", true},
          {"error", "m/s^2", true},
          {{"it's", {1.0, 10.0, 100.0}, {1e-9, 1e-8, 1e-7}, "#0072b2"},
           {"zero", {1.0, 10.0}, {0.0, 0.0}, "#d55e00"},
           {"a, b", {1.0, 100.0}, {1e-9, std::nan("")}, "#009e73", CurveStyle::kDashed}}};
}

Document sample() {
  Document document{"Title & more", "with `code`", {}};
  document.heading("First");
  document.paragraph("a < b, `x_1`");
  document.table(
      {"numbers", "Some", {{"n", ""}, {"time", "s"}}, {{1024.0, 1.0 / 3.0}, {"a|b", 0.0}}});
  document.figure(growth());
  document.statements({{"Paper, sect. 1", "It holds.", Judgement::kHolds, "1e-9"},
                       {"Paper, sect. 2", "It does not.", Judgement::kFails, "2 > 1"}});
  document.regenerated(
      {{"Fig. 1", "something", true, "First"}, {"Table 1", "else", false, "needs a chip"}});
  return document;
}

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    root_ = test::own_path("document");
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string read(const fs::path& name) const {
    std::ifstream in(root_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path root_;
};

TEST(Numbers, AreShortForPeople) {
  EXPECT_EQ(to_short(0.0), "0");
  EXPECT_EQ(to_short(-0.0), "0");
  EXPECT_EQ(to_short(1048576.0), "1048576");
  EXPECT_EQ(to_short(12345.6), "12346");
  EXPECT_EQ(to_short(1.0 / 3.0), "0.333");
  EXPECT_EQ(to_short(1.234e-9), "1.23e-9");
  EXPECT_EQ(to_short(-1.5e120), "-1.5e+120");
  EXPECT_EQ(to_short(std::nan("")), "nan");
}

TEST(Colours, AreTheSameForAFormulationEverywhere) {
  EXPECT_EQ(formulation_colour("hdca"), formulation_colour("hdca"));
  EXPECT_NE(formulation_colour("hdca"), formulation_colour("dca"));
  EXPECT_NE(nth_colour(0), nth_colour(1));
}

TEST(Page, EscapesTextAndShowsEverything) {
  const auto html = to_html(sample(), {{"growth", "<svg>\xff</svg>"}});
  for (const char* part :
       {"Title &amp; more", "a &lt; b, <code>x_1</code>", "<code>code</code>", "0.333", "1024",
        "data:image/svg+xml;base64,PHN2Zz7/PC9zdmc+\"", "Growth of &lt;x&gt;", "It holds.",
        "does not hold", "needs a chip", "class=\"card fails\"", "<br><small>s</small>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("http"), html.find("http-equiv"));  // it fetches nothing
}

TEST(Page, SaysWhereAPlotIsMissing) {
  EXPECT_NE(to_html(sample(), {}).find("gnuplot was not found"), std::string::npos);
}

TEST(Markdown, HasTheSame) {
  const auto text = to_markdown(sample());
  for (const char* part : {"# Title & more", "## First", "| n | time (s) |", "| a\\|b | 0 |",
                           "](figures/growth.svg)", "**does not hold**", "| Table 1 | else | no |"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(TableCsv, KeepsEveryDigit) {
  const DataTable table{"t", "", {{"a,b", ""}, {"time", "s"}}, {{"x \"y\"", 1.0 / 3.0}}};
  EXPECT_EQ(to_csv(table), "\"a,b\",time (s)\n\"x \"\"y\"\"\",0.3333333333333333\n");
  EXPECT_THROW(to_csv({"t", "", {{"a", ""}}, {{1.0, 2.0}}}), std::invalid_argument);
}

TEST(Plot, LeavesOutWhatALogarithmicAxisCannotShow) {
  const auto script = plot_script(growth());
  EXPECT_NE(script.find("every ::0::2 using 2:3"), std::string::npos);
  EXPECT_NE(script.find("keyentry"), std::string::npos);
  EXPECT_NE(script.find("zero: nothing above 0"), std::string::npos);
  EXPECT_NE(script.find("every ::5::6"), std::string::npos);
  EXPECT_NE(script.find("'it''s'"), std::string::npos);
  auto broken = growth();
  broken.curves[0].y.pop_back();
  std::ostringstream out;
  EXPECT_THROW(write_figure_csv(broken, out), std::invalid_argument);
}

// gnuplot cut off the samples of labels with 40 letters, and left out a legend with 46.
TEST_F(InFolder, LegendsWithLongLabelsAreWhole) {
  for (const std::size_t letters : {20U, 40U, 46U, 80U}) {
    auto figure = growth();
    figure.curves[1] = figure.curves[0];
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
      labels.push_back(std::to_string(i) + std::string(letters - 1, 'a'));
      figure.curves[i].label = labels.back();
    }
    Document document{"Legends", "", {}};
    document.figure(figure);
    ASSERT_TRUE(write_document(document, root_));
    const auto svg = read("figures/growth.svg");
    for (const auto& label : labels)
      EXPECT_NE(svg.find(label + "</tspan></text>"), std::string::npos) << letters;
    double width = 0.0, right = 0.0;
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("width=") + 7, "%lf", &width), 1);
    for (auto at = svg.find(" d='M"); at != std::string::npos; at = svg.find(" d='M", at + 1)) {
      double from = 0.0, y = 0.0, to = 0.0;
      if (std::sscanf(svg.c_str() + at, " d='M%lf,%lf L%lf", &from, &y, &to) == 3)
        right = std::max({right, from, to});
    }
    EXPECT_GT(right, 0.0);
    EXPECT_LT(right, width - 1.0) << letters;  // gnuplot cuts lines at the edge
    fs::remove_all(root_);
  }
}

TEST_F(InFolder, HasThePageTheNumbersAndThePlots) {
  ASSERT_TRUE(write_document(sample(), root_)) << "gnuplot is one of the packages that tests need";
  EXPECT_NE(read("report.html").find("data:image/svg+xml;base64,"), std::string::npos);
  EXPECT_EQ(read("tables/numbers.csv"), "n,time (s)\n1024,0.3333333333333333\na|b,0\n");
  EXPECT_EQ(read("figures/growth.csv").substr(0, 39), "curve,bodies,error (m/s^2)\nit's,1,1e-09");
  const auto svg = read("figures/growth.svg");
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("0, 114, 178"), std::string::npos);
  EXPECT_NE(svg.find("it's"), std::string::npos);
}

// A figure with nothing to draw is drawn all the same.
TEST_F(InFolder, DrawsAnEmptyFigure) {
  Document document{"Empty", "", {}};
  document.figure({"empty", "", {"x", ""}, {"y", "", true}, {{"none", {1.0}, {0.0}, "#0072b2"}}});
  EXPECT_TRUE(write_document(document, root_));
  EXPECT_NE(read("figures/empty.svg").find("nothing above 0"), std::string::npos);
}

TEST_F(InFolder, GoesWithoutGnuplot) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const bool drawn = write_document(sample(), root_);
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(drawn);
  EXPECT_NE(read("report.html").find("gnuplot was not found"), std::string::npos);
  EXPECT_FALSE(read("figures/growth.gp").empty());
}

TEST_F(InFolder, SaysWhatCannotBeWritten) {
  std::ofstream(root_.string()) << "a file";
  EXPECT_THROW(write_document(sample(), root_), std::runtime_error);
}

}  // namespace
}  // namespace hamiltree::test
