// A Document as one self-contained HTML page, and as Markdown.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree {

// SVG of the figures by name; the page says what is missing where a figure has none.
using Drawings = std::map<std::string, std::string>;

std::string to_html(const Document& document, const Drawings& drawings);

// Figures are links to figures/NAME.svg.
std::string to_markdown(const Document& document);

// The rows of a table as CSV, with a header line.
std::string to_csv(const DataTable& table);

}  // namespace hamiltree
