// One self-contained HTML page of a run: summary, stick-figure replay, plots. The page's own
// sources lie in report/ and are embedded at build time; nothing is fetched when it is opened.
#pragma once

#include <string>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

std::string to_report(const Recording& recording);

}  // namespace hamiltree
