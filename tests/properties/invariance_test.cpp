// The same machine told in another way moves the same way: another spanning tree, another order of
// bodies, other body frames, joints written from the other side, other units. Bodies' velocities
// and accelerations and all reactions of random mechanisms of every topology class, by one rule:
// normwise error <= 1e-14 cond(scaled augmented matrix) + 1e-12 of their size, ten times that for
// accelerations and reactions. Samples with cond > 1e8 in either telling are counted apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "properties/variants.hpp"
#include "support/condition.hpp"
#include "support/newton_euler.hpp"
#include "support/on_duals.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using test::RandomMechanism;
using test::Topology;
using test::Variant;

constexpr std::uint64_t kSeed = 19770401;
constexpr int kSamplesPerClass = 200;  // x 7 topologies x 2 spaces x 5 variants: 14,000

// A state of a model and how well it is determined.
template <class Space>
struct Stand {
  double t = 0.0;
  Eigen::VectorXd q, v, p;
  double condition = 1.0;
  double inertia = 1.0;  // largest on the diagonal of M
};

template <class Space>
void condition_of(const System<Space>& system, Stand<Space>& stand) {
  const Dense<Space> dense(system);
  typename Dense<Space>::Work work(dense);
  dense.velocities(stand.t, stand.q.data(), stand.p.data(), nullptr, work);
  stand.condition = test::scaled_condition(work.augmented.M, work.augmented.A);
  if (system.velocities > 0) stand.inertia = work.augmented.M.diagonal().maxCoeff();
  std::copy(work.result.v.begin(), work.result.v.end(), stand.v.data());
}

// The momenta of v in the gauge of a reset.
template <class Space>
void reset_momenta(const System<Space>& system, Stand<Space>& stand) {
  Kinematics<Space> kin(system);
  place(system, stand.t, stand.q.data(), kin);
  move(system, stand.v.data(), kin);
  momenta(system, kin, stand.p.data());
}

// The observations in the world, by name.
struct SeenBody {
  Eigen::Matrix<double, 6, 1> velocity, acceleration;  // of the centre of mass; angular
};
struct SeenJoint {
  Eigen::Vector3d origin;
  Reaction reaction;
};
struct Seen {
  std::map<std::string, SeenBody> bodies;
  std::map<std::string, SeenJoint> joints;
  double load = 0.0;  // the largest force on any body, where much of it may cancel
};

Eigen::Vector3d linear3(const Eigen::VectorXd& V) {
  return V.size() == 3 ? Eigen::Vector3d(V(0), V(1), 0.0) : Eigen::Vector3d(V.head(3));
}
Eigen::Vector3d angular3(const Eigen::VectorXd& V) {
  return V.size() == 3 ? Eigen::Vector3d(0.0, 0.0, V(2)) : Eigen::Vector3d(V.tail(3));
}

template <class Space>
Seen see(const std::string& name, const Model& model, const System<Space>& system,
         const Stand<Space>& stand) {
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  const StateView state{stand.t, stand.q.data(), stand.p.data()};
  formulation->analyse(state, *workspace);
  EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
  // The motion that the formulation found, on dual numbers.
  using DualSpace = typename Space::template Rebind<Dual>;
  const System<DualSpace> dual_system = system.template cast<Dual>();
  Kinematics<DualSpace> kin(dual_system);
  std::vector<Dual> q, v;
  for (std::size_t i = 0; i < workspace->q_dot.size(); ++i) {
    q.emplace_back(stand.q(static_cast<Eigen::Index>(i)), workspace->q_dot[i]);
  }
  for (std::size_t i = 0; i < workspace->v.size(); ++i) {
    v.emplace_back(workspace->v[i], workspace->v_dot[i]);
  }
  place(dual_system, Dual(stand.t, 1.0), q.data(), kin);
  move(dual_system, v.data(), kin);
  Seen seen;
  for (int b = 0; b < system.body_count(); ++b) {
    const typename DualSpace::Position arm = kin.X_WB[at(b)].R * dual_system.body(b).com;
    const auto V = shift_motion<DualSpace>(arm, kin.V_WB[at(b)]);
    Eigen::VectorXd value(V.size()), rate(V.size());
    for (int i = 0; i < V.size(); ++i) {
      value(i) = V(i).value;
      rate(i) = V(i).derivative;
    }
    auto& body = seen.bodies[model.body_name(b)];
    body.velocity << linear3(value), angular3(value);
    body.acceleration << linear3(rate), angular3(rate);
  }
  for (int j = 0; j < system.joint_count(); ++j) {
    auto& joint = seen.joints[model.joint_name(j)];
    joint.origin.setZero();
    for (int i = 0; i < Space::kLinear; ++i) joint.origin(i) = kin.origin(j)(i).value;
    joint.reaction = formulation->reaction(j, *workspace);
  }
  seen.load = test::newton_euler(system, *formulation, *workspace, stand.t, stand.q).size;
  return seen;
}

// The same as the first description would say it.
Seen told_back(Seen seen, const Seen& first, const Variant& variant) {
  const double a = variant.length;
  const double c = variant.time;
  for (auto& [name, body] : seen.bodies) {
    body.velocity.head<3>() *= c / a;
    body.velocity.tail<3>() *= c;
    body.acceleration.head<3>() *= c * c / a;
    body.acceleration.tail<3>() *= c * c;
  }
  for (auto& [name, joint] : seen.joints) {
    auto& r = joint.reaction;
    const auto type = [&, &joint_name = name] {
      for (const auto& said : variant.mechanism.joints) {
        if (said.name == joint_name) return said.type;
      }
      return JointType::kFixed;
    }();
    joint.origin /= a;
    for (auto* f : {&r.force, &r.joint_force}) *f /= variant.force();
    for (auto* m : {&r.moment, &r.joint_moment}) *m /= variant.force() * a;
    r.drive /= variant.force() * (type == JointType::kPrismatic ? 1.0 : a);
    if (!variant.swapped.contains(name)) continue;
    // On the other body, and about the origin on that one.
    const auto& same = first.joints.at(name);
    r.force = -r.force;
    r.moment = -r.moment + (joint.origin - same.origin).cross(r.force);
    r.drive = -r.drive;
    r.joint_force = same.reaction.joint_force;  // other axes: not compared
    r.joint_moment = same.reaction.joint_moment;
  }
  return seen;
}

struct Difference {
  double square = 0.0, size = 0.0;
  void add(const Eigen::VectorXd& found, const Eigen::VectorXd& expected) {
    square += (found - expected).squaredNorm();
    size += expected.squaredNorm();
  }
  double relative(double least) const {
    return std::sqrt(square) / std::max({std::sqrt(size), least, 1e-300});
  }
};

struct Tally {
  int samples = 0, compared = 0, refused = 0, ill_conditioned = 0, other_cuts = 0;
  double worst = 0.0;  // of the bound
  std::string worst_case;
};

template <class Space>
class Sample {
 public:
  Sample(const Model& model, const System<Space>& system, RandomMechanism& random,
         std::string label)
      : model_(model), system_(system), label_(std::move(label)) {
    first_.t = RandomMechanism::kTime;
    first_.q = random.closed_pose(model, system);
    first_.p = random.vector(system.velocities);
    first_.v = Eigen::VectorXd::Zero(system.velocities);
    condition_of(system, first_);
    speed_ = first_.p.norm() / first_.inertia;
    reset_momenta(system, first_);
    if (usable()) seen_ = see("hdca", model, system, first_);
  }

  bool usable() const { return first_.condition <= 1e8; }

  void compare(const Variant& variant, Tally& tally) {
    ++tally.samples;
    const auto other = compiled(variant);
    if (!other) {
      ++tally.refused;
      return;
    }
    tally.other_cuts += cuts(*other) != cuts(model_);
    other->visit([&]<class Other>(const System<Other>& system) {
      if constexpr (std::is_same_v<Other, Space>) compare(variant, *other, system, tally);
    });
  }

 private:
  // A coupling may not see an angle of a loop that is closed by that very joint: refused.
  static std::optional<Model> compiled(const Variant& variant) {
    try {
      return Model(variant.mechanism);
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("couple another joint"), std::string::npos)
          << error.what();
      return std::nullopt;
    }
  }

  static std::set<std::string> cuts(const Model& model) {
    std::set<std::string> names;
    for (int j = model.body_count(); j < model.joint_count(); ++j) {
      names.insert(model.joint_name(j));
    }
    return names;
  }

  void compare(const Variant& variant, const Model& other, const System<Space>& system,
               Tally& tally) {
    auto stand = carried_over(variant, other, system);
    const Eigen::VectorXd v = stand.v;
    condition_of(system, stand);
    stand.v = v;
    reset_momenta(system, stand);
    const double condition = std::max(first_.condition, stand.condition);
    if (!(condition <= 1e8)) {
      ++tally.ill_conditioned;
      return;
    }
    ++tally.compared;
    for (const std::string name : {"hdca", "recursive"}) {
      const auto found = told_back(see(name, other, system, stand), seen_, variant);
      Difference velocities, accelerations, reactions;
      for (const auto& [body, expected] : seen_.bodies) {
        velocities.add(found.bodies.at(body).velocity, expected.velocity);
        accelerations.add(found.bodies.at(body).acceleration, expected.acceleration);
      }
      for (const auto& [joint, expected] : seen_.joints) {
        const auto& r = found.joints.at(joint).reaction;
        const auto& e = expected.reaction;
        reactions.add(r.force, e.force);
        reactions.add(r.moment, e.moment);
        reactions.add(r.joint_force, e.joint_force);
        reactions.add(r.joint_moment, e.joint_moment);
        reactions.add(Eigen::VectorXd::Constant(1, r.drive), Eigen::VectorXd::Constant(1, e.drive));
      }
      const std::string what = name + ", " + variant.name + ", ";
      note(what + "velocities", velocities.relative(speed_), condition, 1.0, tally);
      note(what + "accelerations", accelerations.relative(seen_.load / first_.inertia), condition,
           10.0, tally);
      note(what + "reactions", reactions.relative(seen_.load), condition, 10.0, tally);
    }
  }

  void note(const std::string& what, double error, double condition, double factor, Tally& tally) {
    const double bound = factor * (1e-14 * condition + 1e-12);
    EXPECT_LE(error, bound) << what << " of " << label_ << ", cond " << condition;
    if (!(error / bound > tally.worst)) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s of %s: error %.2g at cond %.2g", what.c_str(),
                  label_.c_str(), error, condition);
    tally.worst = error / bound;
    tally.worst_case = text;
  }

  // The state of the other model in which every body stands and moves as in the first.
  Stand<Space> carried_over(const Variant& variant, const Model& other,
                            const System<Space>& system) const {
    constexpr int n = Space::kLinear;
    Kinematics<Space> kin(system_), moved(system);
    place(system_, first_.t, first_.q.data(), kin);
    move(system_, first_.v.data(), kin);
    Stand<Space> stand;
    stand.t = first_.t * variant.time;
    evaluate_drives(system, stand.t, moved);
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& name = other.body_name(b);
      const int old = *model_.find_body(name);
      // X_WB of the other's tables through the bodies' own frames: old tables, old body, new body,
      // new tables.
      const auto frame = variant.body_frames.find(name);
      const Frame T = frame == variant.body_frames.end() ? Frame{} : frame->second;
      const Frame own = test::operator*(model_.user_frame(old), T);
      const auto& X_BU = other.user_frame(b);
      auto X_WU = kin.pose(old) * Pose<Space>{own.rotation.template topLeftCorner<n, n>(),
                                              own.position.template head<n>()};
      X_WU.r *= variant.length;
      const Pose<Space> tables{X_BU.rotation.template topLeftCorner<n, n>(),
                               X_BU.position.template head<n>()};
      moved.X_WB[at(b)] = X_WU * inverse(tables);
      const typename Space::Position arm = moved.X_WB[at(b)].r / variant.length - kin.pose(old).r;
      typename Space::Motion V = shift_motion<Space>(arm, kin.velocity(old));
      V.template head<n>() *= variant.length;
      moved.V_WB[at(b)] = V / variant.time;
    }
    stand.q = Eigen::VectorXd::Zero(system.coordinates);
    stand.v = Eigen::VectorXd::Zero(system.velocities);
    stand.p = Eigen::VectorXd::Zero(system.velocities);
    for (int j = 0; j < system.joint_count(); ++j) {
      moved.joints[at(j)].X_WJ = joint_frame(system, moved, j);
    }
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      visit_joint<Space>(joint, [&](const auto& type) {
        type.coordinates(relative_pose(system, moved, b), stand.q.data() + joint.q);
      });
      add_free(joint, free_motion(system, moved, b), stand.v.data());
    }
    return stand;
  }

  const Model& model_;
  const System<Space>& system_;
  std::string label_;
  Stand<Space> first_;
  Seen seen_;
  double speed_ = 0.0;
};

class Invariance : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

// Measured: at most 0.07 of the bound, by velocities of spatial trees.
TEST_P(Invariance, OfMotionAndReactions) {
  const auto [space, topology] = GetParam();
  std::map<std::string, Tally> tallies;
  int ill_conditioned = 0;
  for (int i = 0; i < kSamplesPerClass; ++i) {
    const auto seed =
        kSeed + 10000 * static_cast<std::uint64_t>(topology) + static_cast<std::uint64_t>(i);
    RandomMechanism random(seed);
    const Mechanism said = random.make(space, topology, test::Extent::kFull);
    const Model model(said);
    const std::string label = std::string(space == SpaceKind::kPlanar ? "planar " : "spatial ") +
                              to_name(topology) + ", seed " + std::to_string(seed);
    model.visit([&]<class Space>(const System<Space>& system) {
      Sample<Space> sample(model, system, random, label);
      if (!sample.usable()) {
        ++ill_conditioned;
        return;
      }
      const auto factor = [&] { return std::pow(10.0, random.uniform(-3.0, 3.0)); };
      const double length = factor();
      const double mass = factor();
      for (const auto& variant :
           {test::another_tree(said, random), test::another_order(said, random),
            test::other_body_frames(said, random), test::swapped_joints(said, random),
            test::other_units(said, length, mass, factor())}) {
        sample.compare(variant, tallies[variant.name]);
      }
    });
    if (HasFatalFailure()) return;
  }
  std::printf("seed %llu, %d samples, %d with cond > 1e8 apart\n",
              static_cast<unsigned long long>(kSeed), kSamplesPerClass, ill_conditioned);
  for (const auto& [name, tally] : tallies) {
    std::printf(
        "  %s: %d compared (%d with other cuts), %d refused, %d with cond > 1e8 apart; "
        "worst (%.2g of its bound): %s\n",
        name.c_str(), tally.compared, tally.other_cuts, tally.refused, tally.ill_conditioned,
        tally.worst, tally.worst_case.c_str());
    EXPECT_GT(tally.compared, kSamplesPerClass / 4) << name;
  }
  const bool loops = topology >= Topology::kSingleLoop;
  if (loops) {
    EXPECT_GT(tallies["another tree"].other_cuts, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Invariance,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::ValuesIn(test::kTopologies)),
                         [](const auto& info) {
                           return test::case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace hamiltree
