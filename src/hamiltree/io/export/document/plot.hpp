// Plots of figures: the numbers as CSV, a gnuplot script that anyone may restyle, and the SVG that
// gnuplot makes of both.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree {

// One line per point: curve, x, y.
void write_figure_csv(const Figure& figure, std::ostream& out);

// Reads NAME.csv and writes NAME.svg, where it is run.
std::string plot_script(const Figure& figure);

// Runs the scripts NAME.gp in the folder. False if there is no gnuplot. Throws std::runtime_error
// if gnuplot fails.
bool draw(std::span<const std::string> names, const std::filesystem::path& folder);

}  // namespace hamiltree
