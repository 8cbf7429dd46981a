// Operations of one evaluation of a kernel, counted by running it on a scalar that counts.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/math/operation_count.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// Operations of the rates by `recursive` or `aba`, products with zeros included; none for other
// formulations.
std::optional<OperationCount> operations(const Model& model, const std::string& formulation);

}  // namespace hamiltree::benchmarks
