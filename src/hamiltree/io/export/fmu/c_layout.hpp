// variables.h of an FMU: its array, and the model's functions on it.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/io/export/fmu/variables.hpp"

namespace hamiltree::fmu {

std::string c_layout(const Model& model, const codegen::CFile& file, const Layout& layout,
                     const std::vector<double>& start, const std::vector<double>& nominals,
                     const std::string& token);

}  // namespace hamiltree::fmu
