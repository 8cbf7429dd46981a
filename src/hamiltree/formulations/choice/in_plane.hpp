// A spatial model that moves in one plane, as a Formulation: everything that concerns the motion
// comes from the planar kernel, accelerations and reactions, which are asked for at outputs only,
// from the spatial one.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/in_plane.hpp"

namespace hamiltree {

// `in_plane` computes plane.model, `general` the same model in space.
std::unique_ptr<Formulation> make_in_plane(const InPlane& plane, std::string plan,
                                           std::unique_ptr<Formulation> in_plane,
                                           std::unique_ptr<Formulation> general);

}  // namespace hamiltree
