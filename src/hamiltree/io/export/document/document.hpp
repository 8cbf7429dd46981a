// Document: what a study or a comparison has found, for people: prose, tables, figures, judgements.
// Written as one self-contained HTML page, as Markdown, and as the CSV and the plot script of every
// table and figure.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Text is plain; what stands between backquotes is set as code.
struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

using Cell = std::variant<std::string, double>;

// Numbers are shown in few digits and kept in all of them in tables/NAME.csv.
struct DataTable {
  std::string name;  // of its file: letters, digits and underscores
  std::string caption;
  std::vector<Channel> columns;  // an empty unit: none
  std::vector<std::vector<Cell>> rows;
};

struct Axis {
  std::string label;         // "time"
  std::string unit;          // "s"; empty: none
  bool logarithmic = false;  // values not above zero are left out
};

enum class CurveStyle { kLine, kDashed, kDotted, kPoints, kLineAndPoints };

struct Curve {
  std::string label;  // of the legend; two curves of one figure never share it
  std::vector<double> x, y;
  std::string colour;  // "#rrggbb", see colours.hpp
  CurveStyle style = CurveStyle::kLine;
};

// A plot: figures/NAME.csv, NAME.gp and NAME.svg. Figures that follow each other stand side by side
// where there is room.
struct Figure {
  std::string name;  // of its files, as a table's
  std::string caption;
  Axis x, y;
  std::vector<Curve> curves;
};

enum class Judgement {
  kHolds,
  kFails,
  kUndecided,  // cannot be decided here; the evidence says why
};

// A statement of a paper, or of ours, and what was found.
struct Statement {
  std::string source;  // "Chadaj2017, sect. 3.2"
  std::string text;    // the statement in our words
  Judgement judgement = Judgement::kUndecided;
  std::string evidence;  // the numbers
};

// A table, figure or listing of a paper, and whether it was made again here.
struct Regenerated {
  std::string item;  // "Fig. 5"
  std::string what;
  bool done = false;
  std::string where;  // in this document; or why it cannot be done
};

using Block = std::variant<Heading, Paragraph, DataTable, Figure, std::vector<Statement>,
                           std::vector<Regenerated>>;

struct Document {
  std::string title;
  std::string subtitle;
  std::vector<Block> blocks;

  void heading(std::string text) { blocks.emplace_back(Heading{std::move(text)}); }
  void paragraph(std::string text) { blocks.emplace_back(Paragraph{std::move(text)}); }
  void table(DataTable table) { blocks.emplace_back(std::move(table)); }
  void figure(Figure figure) { blocks.emplace_back(std::move(figure)); }
  void statements(std::vector<Statement> found) { blocks.emplace_back(std::move(found)); }
  void regenerated(std::vector<Regenerated> items) { blocks.emplace_back(std::move(items)); }
};

// Without a name: such a table has no file.
DataTable to_table(const std::vector<Regenerated>& items);

// "holds", "does not hold", "not decided".
std::string to_text(Judgement judgement);

}  // namespace hamiltree
