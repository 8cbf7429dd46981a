#include "hamiltree/io/export/document/document_folder.hpp"

#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv_field.hpp"
#include "hamiltree/io/export/document/page.hpp"
#include "hamiltree/io/export/document/plot.hpp"
#include "hamiltree/io/export/pending_file.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { PendingFile(path, text).publish(); }

void write_tables(const Document& document, const fs::path& folder) {
  for (const auto& block : document.blocks) {
    const auto* table = std::get_if<DataTable>(&block);
    if (!table) continue;
    make_folder(folder);
    write(folder / (table->name + ".csv"), to_csv(*table));
  }
}

// The names of the figures.
std::vector<std::string> write_figures(const Document& document, const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& block : document.blocks) {
    const auto* figure = std::get_if<Figure>(&block);
    if (!figure) continue;
    make_folder(folder);
    PendingFile numbers(folder / (figure->name + ".csv"),
                        [&](std::ostream& out) { write_figure_csv(*figure, out); });
    numbers.publish();
    write(folder / (figure->name + ".gp"), plot_script(*figure));
    names.push_back(figure->name);
  }
  return names;
}

Drawings read_drawings(const std::vector<std::string>& names, const fs::path& folder) {
  Drawings drawings;
  for (const auto& name : names) {
    std::ifstream in(folder / (name + ".svg"), std::ios::binary);
    if (!in) throw std::runtime_error("gnuplot did not draw " + (folder / name).string() + ".svg");
    drawings[name] = {std::istreambuf_iterator<char>(in), {}};
  }
  return drawings;
}

}  // namespace

std::string to_csv(const DataTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    text += (i > 0 ? "," : "") +
            csv_field(column.unit.empty() ? column.name : column.name + " (" + column.unit + ")");
  }
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size())
      throw std::invalid_argument("table " + table.name + ": as many cells as columns are needed");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* number = std::get_if<double>(&row[i]);
      text += (i > 0 ? "," : "\n");
      text += number ? to_text(*number) : csv_field(std::get<std::string>(row[i]));
    }
  }
  return text + "\n";
}

bool write_document(const Document& document, const fs::path& folder) {
  make_folder(folder);
  write_tables(document, folder / "tables");
  const auto names = write_figures(document, folder / "figures");
  const bool drawn = names.empty() || draw(names, folder / "figures");
  write(folder / "report.md", to_markdown(document));
  write(folder / "report.html",
        to_html(document, drawn ? read_drawings(names, folder / "figures") : Drawings{}));
  return drawn;
}

}  // namespace hamiltree
