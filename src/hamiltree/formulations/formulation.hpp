// Formulation: one way to compute Hamilton's equations (q, p, t) -> (qdot, pdot) of a Model.
// Immutable and shared; whatever an evaluation writes lives in a Workspace, one per thread.
// Evaluations allocate nothing and do not throw.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// A state as an integrator holds it; the arrays have the sizes of the Model.
struct StateView {
  double t = 0.0;  // s
  const double* q = nullptr;
  const double* p = nullptr;
};

enum class Status {
  kOk,
  kNotFinite,  // a result is not a number: the Workspace's v, p_dot show where
};

// What redundancy the rows of the loops have, after prepare().
struct Redundancy {
  int constraints = 0;  // rows of all cuts
  int redundant = 0;    // rows that others already imply
};

class Workspace {
 public:
  virtual ~Workspace() = default;

  std::span<const double> v;      // joint velocities
  std::span<const double> q_dot;  // rates of the coordinates
  std::span<const double> p_dot;  // rates of the momenta
  std::span<const double> sigma;  // impulses of the cuts
};

class Formulation {
 public:
  virtual ~Formulation() = default;

  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  // Once at the assembled initial pose: which constraint rows are independent. May allocate.
  virtual Redundancy analyse(const StateView& state, Workspace& workspace) const = 0;
  // At every step boundary: choices that are held through the step. Allocates nothing.
  virtual void prepare(const StateView& state, Workspace& workspace) const = 0;
  // v and sigma only; the cuts move with D^T (V_child - V_parent) = -phi (null: 0). With p = 0 and
  // phi = Phi(q), v is the mass-orthogonal Newton step onto the closed loops.
  virtual Status velocities(const StateView& state, const double* phi,
                            Workspace& workspace) const = 0;
  // Everything.
  virtual Status rate(const StateView& state, Workspace& workspace) const = 0;

  // Joints (Model's order) at which a pivot is masked at the last evaluation: near-singular.
  virtual std::vector<int> singular_joints(const Workspace& workspace) const = 0;

  virtual std::string plan() const = 0;  // one line
};

// "hdca", "recursive", "dense".
const std::vector<std::string>& formulation_names();

// Throws UsageError for an unknown name, or one that does not take the model's topology.
std::unique_ptr<Formulation> make_formulation(std::string_view name, const Model& model);

}  // namespace hamiltree
