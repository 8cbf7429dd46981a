// A plan as an indented tree: a compound, below it the two that it is made of.
#pragma once

#include <string>

#include "hamiltree/model/model.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::app {

std::string plan_tree_text(const Plan& plan, const Model& model);

}  // namespace hamiltree::app
