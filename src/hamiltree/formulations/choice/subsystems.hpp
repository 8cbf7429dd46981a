// A model as its subsystems, each computed on its own, as one GeneralKernel.
#pragma once

#include <memory>
#include <vector>

#include "hamiltree/formulations/rate_kernel.hpp"
#include "hamiltree/model/subsystems.hpp"

namespace hamiltree {

struct PartFormulation {
  Subsystem subsystem;
  std::unique_ptr<Formulation> formulation;
};

std::unique_ptr<GeneralKernel> make_of_subsystems(const Model& model,
                                                  std::vector<PartFormulation> parts);

}  // namespace hamiltree
