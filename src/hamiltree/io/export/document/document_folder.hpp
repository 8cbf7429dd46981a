// The folder of a Document: report.html, report.md, tables/*.csv, figures/*.{csv,gp,svg}.
#pragma once

#include <filesystem>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree {

// Makes the folder where it is missing. Plots are drawn by gnuplot from the files in figures/.
// False if gnuplot was not found: the report then says so where plots would stand. report.html is
// written last. Throws std::runtime_error that names the path and the reason.
bool write_document(const Document& document, const std::filesystem::path& folder);

}  // namespace hamiltree
