// What the report's page draws, as compact JSON: the summary document, the mechanism's shape, and
// the samples by columns. Long recordings are thinned out for the page and say so; numbers carry
// nine significant digits.
#pragma once

#include <string>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Safe between <script> tags: every "<" is escaped. Not a file format: it may change with the page.
std::string to_report_data(const Recording& recording);

}  // namespace hamiltree
