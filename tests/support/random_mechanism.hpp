// Random mechanisms with a seed: every topology class, both spaces, all joint types. Bodies are put
// anywhere and joints are fitted to them, so every loop is closed at a known pose, whatever the
// spanning tree.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/model/system.hpp"
#include "support/choices.hpp"

namespace hamiltree::test {

enum class Topology {
  kChain,
  kTree,
  kForest,          // several trees, floating ones among them
  kSingleLoop,      // over the ground
  kFloatingLoop,    // between links of a floating mechanism
  kCoupledLoops,    // loops that share links
  kParallelJoints,  // several joints between the same two bodies
};
inline constexpr Topology kTopologies[] = {Topology::kChain,         Topology::kTree,
                                           Topology::kForest,        Topology::kSingleLoop,
                                           Topology::kFloatingLoop,  Topology::kCoupledLoops,
                                           Topology::kParallelJoints};

const char* to_name(Topology topology);

// "Planar_single_loop", ...: of a case in a parameterised test.
std::string case_name(SpaceKind space, Topology topology);

// The contents that a random mechanism may have besides springs, dampers and actuators.
enum class Extent {
  kBasic,  // joints at rest frames: revolute, prismatic, cylindrical, spherical, planar, ...
  kFull,   // also helical, universal, pin_in_slot; drives; couplings; every kind of force
};

// The same with each loop cut at the joint that was drawn to close it, but for coupled ones, which
// cannot be: no choice of trees then decides what a test sees.
Mechanism cut_where_closed(Mechanism mechanism);

class RandomMechanism {
 public:
  explicit RandomMechanism(std::uint64_t seed) : random_(seed) {}
  explicit RandomMechanism(Choices choices) : random_(std::move(choices)) {}

  // Couplings follow cubic curves from now on, not straight lines.
  void bend_couplings() { curved_ = true; }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  Eigen::VectorXd vector(int n, double size = 1.0);

  Mechanism make(SpaceKind space, Topology topology, Extent extent = Extent::kBasic);

  // A planar one somewhere in space; not with parallel joints, which in the plane are pins in
  // slots.
  Mechanism make_in_one_plane(Topology topology, Extent extent);

  // Armature, limits and friction on joints with one degree of freedom, bushings and wrenches; of
  // the joints of a basic mechanism only on those that the tree surely has.
  void add_further_forces(Mechanism& mechanism);

  // A spring of a bushing's angle, springs with curves on joints; a rope with a spring and one with
  // a servo, over points of any bodies; a body may carry two points in a row, and a line may count
  // more than once, or not at all.
  void add_ropes(Mechanism& mechanism);
  void add_armatures_of_balls(Mechanism& mechanism);
  void add_forces_in_balls(Mechanism& mechanism);

  // Takes the inertia of three bodies in ten away, but never of the last.
  void make_light(Mechanism& mechanism);

  // The time at which driven joints fit, and the coordinates of the pose in which all loops of the
  // last mechanism are closed, for a model of it.
  static constexpr double kTime = 0.37;
  template <class Space>
  Eigen::VectorXd closed_pose(const Model& model, const System<Space>& system) const;

  // Degrees of freedom if no constraint is redundant.
  int freedom() const { return freedom_; }

 private:
  static constexpr int kNone = hamiltree::kNone;

  bool planar() const { return mechanism_.space == SpaceKind::kPlanar; }
  int body_count() const { return static_cast<int>(mechanism_.bodies.size()); }
  static std::string body_name(int b) { return b < 0 ? kGround : "B" + std::to_string(b); }
  Eigen::Vector3d position(double size = 1.0);
  Frame frame();
  CurveSpring curve_spring(const std::string& joint);
  static Frame times(const Frame& a, const Frame& b);
  static Frame inverse(const Frame& a);
  Frame pose_of(int body) const { return body == kNone ? Frame{} : poses_[at(body)]; }

  void add_body();
  void add_tree(int bodies, int spread, bool floating);
  void add_loop(int start, int end);
  // A body that hangs on another by two joints. In space any two lock each other in general.
  void add_parallel_joints();

  int rows(JointType type) const;

  JointType joint_type(bool first, bool loops);

  TimeFunction time_function();
  std::optional<TimeFunction> maybe_time_function();

  // A joint that fits the two bodies as they stand. A cut may take at most `spare` rows beyond
  // those of its type by being driven.
  void add_joint(const std::string& name, JointType type, int parent, int child, int spare = 6);

  // at_child, for which the bodies' poses agree with some coordinates of the joint.
  template <class Space>
  Frame fit(const JointDescription& joint, int parent, int child);

  void add_couplings();
  void add_forces();

  Choices random_;
  Mechanism mechanism_;
  bool full_ = false;
  bool curved_ = false;  // couplings
  int freedom_ = 0;
  std::vector<Frame> poses_;                   // of the bodies, world
  std::vector<std::optional<double>> angles_;  // of one-dof joints that are not driven
};

}  // namespace hamiltree::test
