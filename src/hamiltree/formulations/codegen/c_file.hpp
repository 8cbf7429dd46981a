// The text of a generated file and its header.
#pragma once

#include <string>
#include <string_view>

#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/formulations/codegen/recorders.hpp"

namespace hamiltree::codegen {

// The model's name as the start of C names.
std::string c_prefix(std::string_view name);

// Fills in what the file says; `recorded` may have no routine twice.
CFile write_c(const Model& model, const StateView& start, const Recorded& recorded,
              const GenerateOptions& options, const std::string& header_name);

}  // namespace hamiltree::codegen
