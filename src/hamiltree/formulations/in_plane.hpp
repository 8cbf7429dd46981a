// A spatial model that moves in one plane, as a Formulation: everything that concerns the motion
// comes from the planar kernel, accelerations and reactions, which are asked for at outputs only,
// from the spatial one.
#pragma once

#include <memory>
#include <optional>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/in_plane.hpp"

namespace hamiltree {

// The plane in which hdca or recursive computes the model; nothing: they do it in space. Trees of
// pins are in DH frames there already, and leave them only for lanes.
std::optional<InPlane> plane_for(std::string_view formulation, const Model& model,
                                 const FormulationOptions& options = {});

// The model as `formulation` computes it: in its plane, or as it is.
Model as_computed(std::string_view formulation, const Model& model,
                  const FormulationOptions& options = {});

// `in_plane` computes plane.model, `general` the same model in space.
std::unique_ptr<Formulation> make_in_plane(const InPlane& plane,
                                           std::unique_ptr<Formulation> in_plane,
                                           std::unique_ptr<Formulation> general);

}  // namespace hamiltree
