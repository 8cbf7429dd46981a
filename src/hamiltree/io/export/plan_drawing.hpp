// The plans of a model as a drawing.
#pragma once

#include <string>

#include "hamiltree/model/model.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree {

inline constexpr int kMostDrawnBodies = 5000;

// SVG: the tree of compounds that hdca joins, every join above what it joins, those that close
// loops in another colour; and below it in which lanes recursive lays the bodies. Throws UsageError
// for more than kMostDrawnBodies.
std::string plan_drawing(const Plan& plan, const Model& model);

}  // namespace hamiltree
