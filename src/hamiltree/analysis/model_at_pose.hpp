// ModelAtPose: a Model at a pose with closed loops, and the motions that are possible there. Of the
// velocities of the joints some are independent; they give all others,
//   v = T u + v_t      A T = 0
// with A the rows of the loops and couplings, and v_t what drives ask for.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::analysis {

// Units in which displacements of joints compare: radians, and lengths of the mechanism.
Eigen::VectorXd velocity_units(const Model& model);

// The velocities whose coordinate rates at q these are, column by column.
Eigen::MatrixXd velocities_of(const Model& model, const Eigen::VectorXd& q,
                              const Eigen::MatrixXd& q_dot);
// The displacement of joints, along their velocities, that leads from one pose to another; back it
// is its opposite. Balls take chords for arcs.
Eigen::VectorXd displacement_between(const Model& model, const Eigen::VectorXd& from,
                                     const Eigen::VectorXd& to);

class ModelAtPose {
 public:
  // At coordinates q, which are moved onto the closed loops. Joints in `independent` keep their
  // velocities independent; those that it leaves open are chosen so that the others follow best.
  // Throws UsageError for joints that are not independent, ModelError where loops do not close, and
  // SimulationError at a singular pose.
  ModelAtPose(const Model& model, double t, const Eigen::VectorXd& q,
              std::vector<std::string> independent = {});

  const Model& model() const { return model_; }
  double t() const { return t_; }
  const Eigen::VectorXd& q() const { return q_; }
  int freedom() const { return static_cast<int>(independent_.size()); }
  // The independent ones of v.
  const std::vector<int>& independent() const { return independent_; }
  const Eigen::MatrixXd& motions() const { return T_; }  // T: (velocities, freedom)
  const Eigen::MatrixXd& mass() const { return M_; }     // of the tree, (velocities, velocities)

  // The dependent velocities that close the rows by -gap, with independent ones at rest.
  Eigen::MatrixXd closing(const Eigen::MatrixXd& gap) const { return closing_ * gap; }
  // The forces in the loops, of the rows of cuts and couplings, that carry what generalized forces
  // put on dependent velocities: A^T lambda = g there.
  Eigen::VectorXd loop_forces(const Eigen::VectorXd& g) const { return -closing_.transpose() * g; }
  // v_t
  Eigen::VectorXd driven() const { return closing_ * opening_; }
  // qdot of velocities, column by column.
  Eigen::MatrixXd coordinate_rates(const Eigen::MatrixXd& v) const;
  // The generalized forces of unit efforts along joints, (velocities, joints); transposed: the
  // rates of these joints from v.
  Eigen::MatrixXd efforts_on(const std::vector<int>& joints);
  // The velocities of these joints from the independent ones, drives at rest: a row for each
  // degree of freedom.
  Eigen::MatrixXd rates_of(const std::vector<int>& joints) const;
  // Joints by name. Throws UsageError for one that is driven or fixed, or named twice; and for one
  // that has not one degree of freedom.
  std::vector<int> moving_joints(const std::vector<std::string>& names) const;
  std::vector<int> joints(const std::vector<std::string>& names) const;

  // Goes to coordinates, or along a displacement of the independent velocities, and closes the
  // loops there. False, with the pose left where it was, where they do not close.
  bool place(const Eigen::VectorXd& q);
  bool move(const Eigen::VectorXd& displacement);
  // Goes to time t: drives move, independent velocities rest, and loops are closed on the way, so
  // that they stay assembled as they are. Throws SimulationError where they cannot follow.
  // on_step() is called before each step; what it throws ends this.
  void follow_drives(double t, const std::function<void()>& on_step = {});

  // Throw UsageError for a model with callbacks, of whose forces nothing but values is known.
  Derivatives& derivatives();
  derivatives::Tangents& tangents();
  Workspace& workspace() { return *workspace_; }

 private:
  bool close_loops(Eigen::VectorXd& q);
  double gap(const Eigen::VectorXd& q);  // of the length; that of each row, m or rad, in gap_
  void choose_rows();
  void find_motions();
  void split(const Eigen::MatrixXd& A);
  Eigen::VectorXd column_units() const;
  int velocity_of(int j) const;

  Model model_;
  double t_;
  Eigen::VectorXd q_;
  std::vector<std::string> wanted_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Derivatives> derivatives_;        // where they were asked for
  std::unique_ptr<derivatives::Tangents> inertia_;  // of the model without callbacks
  int rank_ = 0;
  std::vector<int> independent_;
  Eigen::MatrixXd T_, M_, closing_;
  Eigen::VectorXd opening_, gap_;
};

}  // namespace hamiltree::analysis
