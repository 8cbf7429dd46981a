// A plan as an indented tree: a compound, below it the two that it is made of.
#pragma once

#include <string>

#include "hamiltree/model/model.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree {

// Name of a link of a plan: a joint, or after them a coupling.
const std::string& link_name(int link, const Model& model);

// "crank, to the ground over A, handles B", "join over B, closing loops"
std::string compound_text(const Compound& compound, const Model& model);

std::string plan_tree_text(const Plan& plan, const Model& model);

}  // namespace hamiltree
