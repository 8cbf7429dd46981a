// JointRanges: between which coordinates the limits of a model let its joints stand, for joints
// with one degree of freedom, in the tree or not; joints that are driven have no say.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "hamiltree/analysis/model_at_pose.hpp"

namespace hamiltree::analysis {

class JointRanges {
 public:
  // Without `limited` all joints may stand anywhere.
  JointRanges(const Model& model, bool limited);

  // How far each limit is away, rad or m; below 0 beyond it.
  Eigen::VectorXd rooms(const ModelAtPose& pose) const;
  // How fast they get less, from the independent velocities.
  Eigen::MatrixXd approaches(const ModelAtPose& pose) const;

  // Goes to the pose within all limits that is near q, loops closed. False, with the pose anywhere,
  // where none is found or it is singular.
  bool place(ModelAtPose& pose, Eigen::VectorXd q) const;
  // The same, along a displacement of the independent velocities.
  bool move(ModelAtPose& pose, const Eigen::VectorXd& displacement) const;

  // How far the joint in the tree with velocity v is from a place in its range: -1 is its lower
  // limit, 1 its upper one. Nothing where it has not both.
  std::optional<double> way_to(const ModelAtPose& pose, int v, double place) const;

 private:
  struct Limit {
    double side, at;  // +1: at most, -1: at least
    int q, v;         // of a joint in the tree, or kNone
  };
  void clamp(Eigen::VectorXd& q) const;

  std::vector<Limit> limits_;
  std::vector<int> joints_;  // whose they are
};

}  // namespace hamiltree::analysis
