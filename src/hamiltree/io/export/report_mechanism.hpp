// Data for the viewer that a recording does not hold: joints, the plan, and along
// the way the reactions and how far each loop is open.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Appends the keys "joints", "plan", "reactions" and "gaps" of docs/formats/recording.md, computed
// from (q, v, p) of the shown samples by the formulation that moved them; of modes no reactions.
void append_mechanism(const Model& model, const Recording& recording,
                      const std::vector<std::size_t>& shown, std::string& out);

// How many numbers that takes for each sample.
std::size_t mechanism_numbers(const Model& model);

}  // namespace hamiltree
