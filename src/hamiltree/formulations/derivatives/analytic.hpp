// Jacobians of the rates with respect to the state in closed form, in joint space. Holds for what
// joint_space_tables.hpp takes, which is most mechanisms; Derivatives does the rest.
#pragma once

#include <memory>

#include "hamiltree/formulations/derivatives/jacobians.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::derivatives {

class Analytic {
 public:
  virtual ~Analytic() = default;

  // False where the formulation's rates at this state are not those of joint space: rows shared out
  // between redundant ones, or pivots that are lost. Overwrites the last evaluation.
  virtual bool find(const StateView& state, Workspace& workspace, Jacobians& result) = 0;
  virtual bool is_finite() const = 0;  // the last
};

// Refers to the formulation. Null where it never holds.
std::unique_ptr<Analytic> make_analytic(const Model& model, const Formulation& formulation);

}  // namespace hamiltree::derivatives
