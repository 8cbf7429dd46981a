#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/document/page.hpp"

namespace hamiltree {
namespace {

// As it stands in a cell of a table.
std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return to_short(*number);
  std::string text;
  for (const char c : std::get<std::string>(cell)) {
    if (c == '|') text += '\\';
    text += c;
  }
  return text;
}

class MarkdownPage {
 public:
  std::string text(const Document& document) {
    markdown_ = "# " + document.title + "\n\n" + document.subtitle + "\n";
    for (const auto& block : document.blocks)
      std::visit([&](const auto& content) { add(content); }, block);
    return markdown_;
  }

 private:
  void add(const Heading& heading) { markdown_ += "\n## " + heading.text + "\n"; }
  void add(const Paragraph& paragraph) { markdown_ += "\n" + paragraph.text + "\n"; }

  void add(const DataTable& table) {
    markdown_ += "\n" + table.caption + (table.caption.ends_with('.') ? "" : ":") + "\n\n|";
    for (const auto& column : table.columns)
      markdown_ += " " + cell_text(column.name) +
                   (column.unit.empty() ? "" : " (" + cell_text(column.unit) + ")") + " |";
    markdown_ += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) markdown_ += "---|";
    for (const auto& row : table.rows) {
      markdown_ += "\n|";
      for (const auto& cell : row) markdown_ += " " + cell_text(cell) + " |";
    }
    markdown_ += "\n";
  }

  void add(const Figure& figure) {
    markdown_ += "\n![" + figure.caption + "](figures/" + figure.name + ".svg)\n\n*" +
                 figure.caption + "*\n";
  }

  void add(const std::vector<Statement>& statements) {
    DataTable table{
        "", "Statements", {{"source", ""}, {"statement", ""}, {"", ""}, {"found", ""}}, {}};
    for (const auto& s : statements)
      table.rows.push_back({s.source, s.text, "**" + to_text(s.judgement) + "**", s.evidence});
    add(table);
  }

  void add(const std::vector<Regenerated>& items) { add(to_table(items)); }

  std::string markdown_;
};

}  // namespace

std::string to_markdown(const Document& document) { return MarkdownPage().text(document); }

}  // namespace hamiltree
