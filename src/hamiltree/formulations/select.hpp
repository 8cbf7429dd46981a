// Select: which formulation computes a model whose user leaves the choice open, "auto": the
// cheapest that keeps the digits. See ADR 0024.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

inline constexpr std::string_view kAutoFormulation = "auto";

// "auto", then formulation_names().
const std::vector<std::string>& formulation_choices();

// Throws UsageError for what is none of them.
void check_formulation_choice(std::string_view name);

struct SelectedFormulation {
  std::string name;    // as in formulation_names()
  std::string reason;  // a clause, as after "recursive: "
};

// At the coordinates q at t = 0, of the initial state as a rule. The same on every machine unless
// digits are lost to within rounding of what is allowed, and whatever the number of threads.
SelectedFormulation select_formulation(const Model& model, const Eigen::VectorXd& q);

// The error of v -> p -> v by a formulation in momenta for velocities of order 1: the largest
// error, or speed at which loops open, slides over the mechanism's length, as a part of the largest
// speed. Infinite where they are not finite.
double round_trip_error(std::string_view formulation, const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree
