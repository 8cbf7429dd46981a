#include "document_output.hpp"

#include <iostream>

#include "hamiltree/io/export/document/document_folder.hpp"

namespace hamiltree::app {
namespace {

// One line for each statement, one for what was found.
void print_statements(const std::vector<Statement>& statements) {
  for (const auto& s : statements) {
    std::cout << to_text(s.judgement) << ": " << s.text << " [" << s.source << "]\n    "
              << s.evidence << '\n';
  }
}

}  // namespace

void write_and_tell(const Document& document, const std::filesystem::path& folder, bool quiet) {
  if (!write_document(document, folder)) {
    std::cerr << "hamiltree: gnuplot was not found, so the report has no plots; their numbers and "
                 "scripts are in "
              << (folder / "figures").string() << '\n';
  }
  if (quiet) return;
  for (const auto& block : document.blocks) {
    if (const auto* statements = std::get_if<std::vector<Statement>>(&block))
      print_statements(*statements);
  }
  std::cout << "\nReport: " << (folder / "report.html").string() << '\n';
}

}  // namespace hamiltree::app
