// Runs of one mechanism side by side: what they cost, how well they kept what should be kept, and
// how far their motions differ.
#pragma once

#include <vector>

#include "hamiltree/io/export/compared_run.hpp"
#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree {

// At least two runs; motions are compared with that of the first, at the times that runs share.
// Throws std::runtime_error if they share none.
Document compare(const std::vector<ComparedRun>& runs);

}  // namespace hamiltree
