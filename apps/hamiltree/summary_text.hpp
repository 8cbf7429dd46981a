// The summary of a run for people. docs/formats/summary.md is the one for programs.
#pragma once

#include <string>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::app {

// A few aligned lines, numbers to three digits.
std::string summary_text(const Summary& summary);

}  // namespace hamiltree::app
