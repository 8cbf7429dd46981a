// Data of a differentiable run: how it goes, what is seen of it, and changes of both.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "hamiltree/formulations/derivatives/tangents.hpp"
#include "hamiltree/integrators/method.hpp"

namespace hamiltree::sensitivity {

using derivatives::Columns;

struct RunOptions {
  std::string formulation = "auto";
  // A method with fixed steps, or dormand_prince, whose accepted steps are held.
  Method integrator = RungeKutta4{};
  double from = 0.0, until = 1.0;       // s
  std::vector<double> samples;          // s, ascending, steps end there; empty: after every step
  std::vector<std::string> parameters;  // with respect to which, see model/parameters.hpp
  std::vector<std::string> controls;    // joints of the tree with one degree of freedom
  // N m or N by control, held: one row for each of so many equal parts of the run.
  Columns efforts;
  std::size_t checkpoints = 0;  // states that are kept at most, the others computed again; 0: all
  // Bytes, where all states are kept: explicit steps are kept too, the first ones, as long as there
  // is room; others are taken again.
  std::size_t step_memory = std::size_t{1} << 28;
  // For each step that the run, or a sweep over it, goes through. What it throws ends these.
  std::function<void()> on_step = [] {};
};

// One row for each sample. As cotangents, empty arrays are zero.
struct RunSamples {
  Eigen::VectorXd t;
  Columns q, v, p, readings;
};

// Tangents, or the gradient of an objective.
struct RunChange {
  Eigen::VectorXd q, v;        // of the start
  Eigen::VectorXd parameters;  // as the options name them
  Columns efforts;
};

}  // namespace hamiltree::sensitivity
