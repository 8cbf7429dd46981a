// A model as its subsystems, each computed on its own, as one Formulation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/subsystems.hpp"

namespace hamiltree {

struct PartFormulation {
  Subsystem subsystem;
  std::unique_ptr<Formulation> formulation;
};

std::unique_ptr<Formulation> make_of_subsystems(const Model& model, std::string plan,
                                                std::vector<PartFormulation> parts);

}  // namespace hamiltree
