// Sentences on a mechanism as it is computed.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// The loop, or coupling, that phi leaves open the most, as the subject of a sentence.
std::string widest_gap(const Model& model, const Eigen::VectorXd& phi);

bool has_drives(const Model& model);  // or moving frames, which redundant rows may not follow

// Why redundant rows leave a loop open, as the end of a sentence on it.
std::string contradiction(const Model& model);

// Reactions that are recorded but not determined, at a state that is analysed.
std::vector<std::string> not_unique_notes(const Model& model, const Formulation& formulation,
                                          const Redundancy& redundancy, const StateView& state,
                                          Workspace& workspace);

// That the loops hold every motion of an undriven mechanism, as it is analysed; or empty.
std::string no_motion_note(const Model& model, const Redundancy& redundancy);

// Floating segments that could not be cut as short as was asked for.
std::string long_segments_note(int longest);

}  // namespace hamiltree
