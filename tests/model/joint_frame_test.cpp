// Joints in mechanisms, of every type, with the tree along and against them, on frames that rest
// and that drives move: their own frames, what opens a loop, and what their motion adds to
// accelerations. A twin of the joint, between the same frames, closes a loop that is closed at
// every coordinate.
#include "hamiltree/model/joint_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "hamiltree/model/accelerations.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/random_space.hpp"
#include "support/rates.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;
using test::derivatives_of;
using test::difference;
using test::RandomMechanism;
using test::rotation_rate;
using test::to_duals;

constexpr std::uint64_t kFrameSeed = 1686;
constexpr int kFrameSamples = 20;
constexpr double kRoundingOfFrames = 1e-13;

enum class Frames { kAtRest, kMoving };

struct Variant {
  SpaceKind space = SpaceKind::kSpatial;
  std::string type;
  bool reversed = false;  // the tree runs against it
  Frames frames = Frames::kAtRest;
  bool driven = false;

  std::string name() const {
    std::string text = space == SpaceKind::kPlanar ? "Planar_" : "Spatial_";
    text += driven ? "driven_" + type : type;
    if (reversed) text += "_reversed";
    if (frames == Frames::kMoving) text += "_moving";
    return text;
  }
};

void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name(); }

std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto& type : joint_type_names(space)) {
      const bool one_dof = joint_size(*joint_type_from_name(type), space).velocities == 1;
      for (const bool reversed : {false, true}) {
        for (const auto frames : {Frames::kAtRest, Frames::kMoving}) {
          list.push_back({space, type, reversed, frames, false});
          if (one_dof) list.push_back({space, type, reversed, frames, true});
        }
      }
    }
  }
  return list;
}

FrameMotion motion_in(SpaceKind space) {
  FrameMotion motion;
  motion.x = Sine{0.1, 0.4, 0.7, 0.3};
  motion.y = Polynomial{{0.2, -0.5, 0.3}};
  motion.rz = Sine{0.0, 0.6, 0.5, -0.2};
  if (space == SpaceKind::kPlanar) return motion;
  motion.z = Sine{0.0, 0.3, 0.9, 0.1};
  motion.rx = Polynomial{{0.1, 0.7, -0.2}};
  motion.ry = Sine{0.2, 0.5, 0.4, 0.8};
  return motion;
}

// B0 flies, the joint J1 leads from it to B1, and B2 swings on that; with `reversed` it is B1 that
// flies.
Mechanism mechanism_of(const Variant& variant) {
  test::SampleMechanism sample(variant.space);
  const auto a = sample.add(JointType::kFree, kGround);
  const auto b = sample.add(*joint_type_from_name(variant.type), a);
  sample.add(JointType::kRevolute, b);
  Mechanism mechanism = sample.get();
  if (variant.reversed) mechanism.joints[0].child = b;
  auto& joint = mechanism.joints[1];
  if (variant.frames == Frames::kMoving) joint.parent_motion = motion_in(variant.space);
  if (variant.driven) {
    joint.initial_q.reset();
    joint.drive = Sine{0.3, 0.8, 0.6, 0.5};
  }
  return mechanism;
}

Model with_twin(const Variant& variant) {
  Mechanism mechanism = mechanism_of(variant);
  if (variant.type == "free") return Model(mechanism);  // has no rows to close a loop with
  mechanism.joints.push_back(mechanism.joints[1]);
  auto& twin = mechanism.joints.back();
  twin.name = "twin";
  twin.initial_q.reset();
  // Couplings take joints with one degree of freedom that nobody drives, and cuts but for
  // revolutes.
  if (joint_size(twin.type, variant.space).velocities == 1 && !variant.driven) {
    mechanism.add(Coupling{"gear", "J1", "J2", 0.7, 0.2, {}});
    mechanism.add(Coupling{"belt", "J2", "J1", -1.3, 0.1, {}});
    if (twin.type != JointType::kRevolute) {
      mechanism.add(Coupling{"rack", "twin", "J2", 0.4, 0.0, {}});
    }
  }
  return Model(mechanism);
}

// Two bodies that fly, and the joint between them as a cut.
Model as_cut(const Variant& variant) {
  Mechanism mechanism = mechanism_of(variant);
  auto& flying = mechanism.joints.emplace_back(mechanism.joints[0]);
  flying.name = "J3";
  flying.child = "B1";
  return Model(mechanism);
}

// Moves the second body to where the cut has random coordinates.
template <class Space>
void close(const System<Space>& system, double t, RandomMechanism& random, VectorXd& q) {
  const auto& cut = system.joint(system.body_count());
  Kinematics<Space> kin(system);
  place(system, t, q.data(), kin);
  std::vector<double> q_cut(at(cut.coordinates));
  for (double& x : q_cut) x = random.uniform(-2.5, 2.5);
  const auto X_FM = visit_joint<Space>(cut, [&]<class J>(const J& joint) -> Pose<Space> {
    J::normalise(q_cut.data());
    return joint.pose(q_cut.data());
  });
  const auto& free = system.joint(cut.child);
  const Pose<Space> X_WB =
      parent_frame(system, kin, system.body_count()) * X_FM * inverse(cut.X_CM);
  Free<Space>::coordinates(inverse(free.X_PF) * X_WB, q.data() + free.q);
}

// A system at a random state, over numbers and, with the rates of the state, over dual numbers.
template <class Space>
struct State {
  using Dualised = typename Space::template Rebind<Dual>;

  State(const System<Space>& s, double time, const VectorXd& q_value, const VectorXd& v_value,
        const VectorXd& v_rate)
      : system(s),
        t(time),
        q(q_value),
        v(v_value),
        v_dot(v_rate),
        kin(s),
        dual_system(s.template cast<Dual>()),
        dual_kin(dual_system) {
    place(system, t, q.data(), kin);
    move(system, v.data(), kin);
    VectorXd q_dot(system.coordinates);
    coordinate_rates(system, q.data(), v.data(), q_dot.data());
    dual_q = to_duals(q, q_dot);
    place(dual_system, Dual(t, 1.0), dual_q.data(), dual_kin);
    move(dual_system, to_duals(v, v_dot).data(), dual_kin);
  }

  const System<Space>& system;
  double t;
  VectorXd q, v, v_dot;
  Kinematics<Space> kin;
  System<Dualised> dual_system;
  Kinematics<Dualised> dual_kin;
  std::vector<Dual> dual_q;
  int joint = kNone, twin = kNone;  // of the type under test
};

class JointFrames : public testing::TestWithParam<Variant> {
 protected:
  // Calls check(state) at random states.
  template <class Check>
  static void on_states(const Check& check) {
    const Model model = with_twin(GetParam());
    model.visit([&](const auto& system) {
      RandomMechanism random(kFrameSeed);
      for (int i = 0; i < kFrameSamples; ++i) {
        VectorXd q = random.vector(system.coordinates, 2.5);
        normalise_coordinates(system, q.data());
        const VectorXd v = random.vector(system.velocities);
        const VectorXd v_dot = random.vector(system.velocities);
        State state(system, random.uniform(-1.0, 2.0), q, v, v_dot);
        state.joint = *model.find_joint("J1");
        state.twin = model.find_joint("twin").value_or(kNone);
        ASSERT_EQ(system.joint(state.joint).reversed, GetParam().reversed);
        ASSERT_TRUE(state.twin == kNone || system.joint(state.twin).is_cut());
        check(state);
      }
    });
  }
};

// J moves as frame_motion() says.
TEST_P(JointFrames, MoveAsFrameMotionSays) {
  on_states([]<class Space>(const State<Space>& s) {
    for (int j = 0; j < s.system.joint_count(); ++j) {
      SCOPED_TRACE("joint " + std::to_string(j));
      const auto& X = s.kin.joint(j).X_WJ;
      const auto V = frame_motion(s.system, s.kin, j);
      const auto omega = Space::unrotate_angular(X.R, angular<Space>(V));
      const auto& moving = s.dual_kin.joint(j).X_WJ;
      EXPECT_LE(difference(derivatives_of(moving.r), linear<Space>(V)), kRoundingOfFrames);
      EXPECT_LE(difference(derivatives_of(moving.R), rotation_rate<Space>(X.R, omega)),
                kRoundingOfFrames);
    }
  });
}

// H is constant in J: there H v is all of the relative motion but for what drives give. The twin,
// as users see it, moves by the same v.
TEST_P(JointFrames, SeeTheMotionAsTheJointsVelocities) {
  on_states([]<class Space>(const State<Space>& s) {
    for (int b = 0; b < s.system.body_count(); ++b) {
      const auto V = from_free(s.system.joint(b), s.v.data());
      EXPECT_LE(difference(free_motion(s.system, s.kin, b), V), kRoundingOfFrames);
    }
    if (s.twin == kNone) return;
    const auto& X = s.kin.joint(s.joint).X_WJ;
    const auto& X_twin = s.kin.joint(s.twin).X_WJ;
    EXPECT_LE(difference(X.R, seen_axes(s.system, s.kin, s.twin)), kRoundingOfFrames);
    EXPECT_LE(difference(X.r, X_twin.r), kRoundingOfFrames);
    EXPECT_LE(difference(seen_motion(s.system, s.kin, s.twin),
                         from_free(s.system.joint(s.joint), s.v.data())),
              kRoundingOfFrames);
  });
}

// A_child - A_parent = H v_dot + gamma, both seen at a point that rests in the world.
TEST_P(JointFrames, AccelerationsHaveABias) {
  on_states([]<class Space>(const State<Space>& s) {
    for (int j = 0; j < s.system.joint_count(); ++j) {
      if (j >= s.system.body_count() && j != s.twin) continue;
      SCOPED_TRACE("joint " + std::to_string(j));
      const auto& joint = s.system.joint(j);
      const auto O = s.kin.origin(j).template cast<Dual>().eval();
      const auto V =
          (s.dual_kin.velocity_at(joint.child, O) - s.dual_kin.velocity_at(joint.parent, O)).eval();
      const auto& carrier = s.system.joint(j == s.twin ? s.joint : j);
      const auto H_v_dot = from_free(carrier, s.v_dot.data());
      const typename Space::Motion expected =
          (joint.at_parent ? rotate<Space>(seen_axes(s.system, s.kin, j), H_v_dot)
                           : s.kin.joint(j).to_world_motion(H_v_dot)) +
          bias_acceleration(s.system, s.kin, j);
      EXPECT_LE(difference(derivatives_of(V), expected), 10.0 * kRoundingOfFrames);
    }
  });
}

// The twin is closed and stays so. Couplings, which these states do not obey, are missed by rates
// that are the derivatives of what they are missed by.
TEST_P(JointFrames, CloseTheLoopOfTheirTwin) {
  on_states([](const auto& s) {
    const auto rows = at(s.system.constraints);
    std::vector<double> phi(rows), phi_dot(rows);
    std::vector<Dual> dual_phi(rows);
    position_residual(s.system, s.kin, s.q.data(), phi.data());
    velocity_residual(s.system, s.kin, phi_dot.data());
    position_residual(s.dual_system, s.dual_kin, s.dual_q.data(), dual_phi.data());
    const auto cut_rows = rows - s.system.couplings.size();
    for (std::size_t r = 0; r < rows; ++r) {
      SCOPED_TRACE("row " + std::to_string(r));
      EXPECT_NEAR(dual_phi[r].derivative, phi_dot[r], kRoundingOfFrames);
      if (r >= cut_rows) continue;
      EXPECT_NEAR(phi[r], 0.0, kRoundingOfFrames);
      EXPECT_NEAR(phi_dot[r], 0.0, kRoundingOfFrames);
    }
  });
}

// Coordinate and rate of a joint with one degree of freedom, in the tree, driven, or as a cut.
TEST_P(JointFrames, KnowThePositionAndItsRate) {
  on_states([](const auto& s) {
    for (int j = 0; j < s.system.joint_count(); ++j) {
      const auto& joint = s.system.joint(j);
      if (joint.along == kNone) continue;
      SCOPED_TRACE("joint " + std::to_string(j));
      const Dual x = joint_position(s.dual_system, s.dual_kin, s.dual_q.data(), j);
      EXPECT_NEAR(x.derivative, joint_rate(s.system, s.kin, j), kRoundingOfFrames);
      if (joint.has_velocity()) {
        EXPECT_EQ(joint_position(s.system, s.kin, s.q.data(), j), s.q(joint.q));
        EXPECT_NEAR(joint_rate(s.system, s.kin, j), s.v(joint.v), kRoundingOfFrames);
      }
      if (j != s.twin) continue;
      const double miss = x.value - joint_position(s.system, s.kin, s.q.data(), s.joint);
      const double turn = joint.type == JointType::kRevolute ? 2.0 * std::numbers::pi : 1e9;
      EXPECT_NEAR(std::remainder(miss, turn), 0.0, kRoundingOfFrames);
    }
  });
}

// A cut between bodies that both fly, on its manifold, at any velocities: what opens it is the rate
// of what it is open by.
TEST_P(JointFrames, OpeningRatesAreDerivativesOfGaps) {
  if (GetParam().type == "free" || GetParam().reversed) return;
  const Model model = as_cut(GetParam());
  model.visit([]<class Space>(const System<Space>& system) {
    RandomMechanism random(kFrameSeed);
    const int cut = system.body_count();
    ASSERT_TRUE(system.joint(cut).is_cut());
    for (int i = 0; i < kFrameSamples; ++i) {
      const double t = random.uniform(-1.0, 2.0);
      VectorXd q = random.vector(system.coordinates, 2.5);
      normalise_coordinates(system, q.data());
      close(system, t, random, q);
      const State<Space> s(system, t, q, random.vector(system.velocities),
                           random.vector(system.velocities));
      const auto rows = at(system.constraints);
      std::vector<double> phi_dot(rows);
      std::vector<Dual> phi(rows);
      velocity_residual(system, s.kin, phi_dot.data());
      position_residual(s.dual_system, s.dual_kin, s.dual_q.data(), phi.data());
      for (std::size_t r = 0; r < rows; ++r) {
        EXPECT_NEAR(phi[r].value, 0.0, kRoundingOfFrames) << "row " << r;
        EXPECT_NEAR(phi[r].derivative, phi_dot[r], 4.0 * kRoundingOfFrames) << "row " << r;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(AllTypes, JointFrames, testing::ValuesIn(variants()),
                         [](const auto& info) { return info.param.name(); });

}  // namespace
}  // namespace hamiltree
