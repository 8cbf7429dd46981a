// The formulations by name; each is made in its own translation unit.
#pragma once

#include <memory>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

std::unique_ptr<Formulation> make_hdca(const Model& model);
std::unique_ptr<Formulation> make_recursive(const Model& model);
std::unique_ptr<Formulation> make_dense(const Model& model);

}  // namespace hamiltree
