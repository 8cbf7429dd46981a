// The formulations by name; each is made in its own translation unit.
#pragma once

#include <memory>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

std::unique_ptr<Formulation> make_hdca(const Model& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_recursive(const Model& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_dense(const Model& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_dca(const Model& model, const FormulationOptions& options);
std::unique_ptr<Formulation> make_aba(const Model& model, const FormulationOptions& options);

}  // namespace hamiltree
