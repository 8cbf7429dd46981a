// Callbacks: the user's own code against the built-in force that says the same, in every
// formulation, on joints in the tree and on those that close loops.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "support/on_duals.hpp"
#include "support/random_mechanism.hpp"
#include "support/rates.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::RandomMechanism;

constexpr double kTime = 0.4;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-11;  // of rates of order 1 to 100

class Callbacks : public testing::TestWithParam<SpaceKind> {
 protected:
  Mechanism bare() const {
    Mechanism m = test::sample_loop(GetParam(), JointType::kPrismatic);
    m.forces.clear();
    return m;
  }

  // Both mechanisms move alike under every formulation, and their forces have the same power.
  static void expect_same(const Mechanism& built_in, const Mechanism& called) {
    const Model a(built_in);
    const Model b(called);
    RandomMechanism random(3);
    VectorXd q = random.vector(a.coordinate_count(), 0.5);
    const VectorXd u = random.vector(a.velocity_count());
    for (const auto& name : formulation_names()) {
      SCOPED_TRACE(name);
      const auto answer = [&](const Model& model) {
        const auto formulation = make_formulation(name, model);
        const auto workspace = formulation->make_workspace();
        const StateView state{kTime, q.data(), u.data()};
        formulation->analyse(state, *workspace);
        EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
        VectorXd result = test::to_vector(workspace->u_dot);
        EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
        const auto reaction = formulation->reaction(0, *workspace);
        result.conservativeResize(result.size() + 6);
        result.tail(6) << reaction.force, reaction.moment;
        return result;
      };
      const VectorXd expected = answer(a);
      EXPECT_LE((answer(b) - expected).norm(), kRounding * (1.0 + expected.norm()));
    }
    const auto all = [&](const Model& model) {
      return model.visit([&]<class Space>(const System<Space>& system) {
        Kinematics<Space> kin(system);
        place(system, kTime, q.data(), kin);
        move(system, u.data(), kin);
        const auto P = power(system, kin, kTime, q.data());
        return P.applied + P.dissipated;
      });
    };
    EXPECT_NEAR(all(a), all(b), kRounding * (1.0 + std::abs(all(a))));
    EXPECT_NE(all(a), 0.0);
  }
};

TEST_P(Callbacks, OfAnEffort) {
  for (const std::string joint : {"J1", "C0"}) {
    Mechanism built_in = bare();
    built_in.add(JointSpringDamper{joint, 0.0, 0.0, 0.7, {}});
    built_in.add(Actuator{"motor", joint, Sine{0.3, 1.1, 0.8, 0.2}, {}});
    Mechanism called = bare();
    called.add(EffortCallback{
        "motor",
        joint,
        [](double t, double, double q_dot) {
          return 0.3 + 1.1 * std::sin(2.0 * std::numbers::pi * 0.8 * t + 0.2) - 0.7 * q_dot;
        },
        {}});
    expect_same(built_in, called);
  }
}

TEST_P(Callbacks, SeeTheCoordinateOfTheirJoint) {
  for (const std::string joint : {"J1", "C0"}) {
    double seen = 0.0;
    Mechanism called = bare();
    called.add(
        EffortCallback{"motor", joint, [&](double, double q, double) { return seen = q; }, {}});
    const Model model(called);
    model.visit([&]<class Space>(const System<Space>& system) {
      RandomMechanism random(5);
      const VectorXd q = random.vector(system.coordinates);
      Kinematics<Space> kin(system);
      place(system, kTime, q.data(), kin);
      Loads<Space> loads(system);
      evaluate_loads(system, kin, kTime, q.data(), loads);
      EXPECT_EQ(seen, joint_position(system, kin, q.data(), *model.find_joint(joint)));
      EXPECT_NE(seen, 0.0);
    });
  }
}

// A bushing to the ground, whose frame b is the body's own, damps the body's velocities; a wrench
// in body axes turns with it.
TEST_P(Callbacks, OfALoadOnABody) {
  const bool planar = GetParam() == SpaceKind::kPlanar;
  const Vector3d plane(1.0, 1.0, planar ? 0.0 : 1.0);
  const Vector3d turns(planar ? 0.0 : 1.0, planar ? 0.0 : 1.0, 1.0);
  Mechanism built_in = bare();
  Bushing bushing;
  bushing.name = "bushing";
  bushing.body_a = kGround;
  bushing.body_b = "B2";
  bushing.translational_damping = {0.3, 0.1, 0.2};
  bushing.rotational_damping = {0.4, 0.6, 0.5};
  built_in.add(bushing);
  AppliedWrench thrust;
  thrust.name = "thrust";
  thrust.body = "B2";
  thrust.force = {Polynomial{{1.0, 0.5}}, Polynomial{{-2.0}}, {}};
  thrust.moment.z = Polynomial{{0.7}};
  thrust.axes = AppliedWrench::Axes::kBody;
  built_in.add(thrust);
  Mechanism called = bare();
  const auto load = [=](double t, const BodyState& body) -> BodyLoad {
    const Vector3d d(0.3, 0.1, 0.2), turning(0.4, 0.6, 0.5);
    const Vector3d force = body.rotation * Vector3d(1.0 + 0.5 * t, -2.0, 0.0);
    const Vector3d moment = body.rotation * Vector3d(0.0, 0.0, 0.7);
    return {plane.cwiseProduct(force - d.cwiseProduct(body.velocity)),
            turns.cwiseProduct(moment - turning.cwiseProduct(body.angular_velocity))};
  };
  called.add(LoadCallback{"both", "B2", load, {}});
  expect_same(built_in, called);
}

// A controller that brakes one joint by the rate of another and pushes a third.
TEST_P(Callbacks, OfAController) {
  Mechanism built_in = bare();
  built_in.add(JointSpringDamper{"J1", 0.0, 0.0, 0.7, {}});
  built_in.add(Actuator{"motor", "C0", Polynomial{{0.5, 2.0}}, {}});
  Mechanism called = bare();
  called.add(Controller{"pilot",
                        {"C0", "J1"},
                        [](Controls& controls) {
                          controls.add_effort(0, 0.5 + 2.0 * controls.time());
                          controls.add_effort(1, -0.7 * controls.rate(controls.index("J1")));
                        },
                        {}});
  expect_same(built_in, called);
}

// A servo on two joints, one of which closes a loop: in its bounds, at each of them, and without.
TEST_P(Callbacks, OfAServo) {
  struct Case {
    std::optional<double> lower, upper;
  };
  for (const auto& [lower, upper] : {Case{}, Case{{}, -8.0}, Case{9.0, {}}, Case{-50.0, 50.0}}) {
    Mechanism built_in = bare();
    built_in.add(Servo{
        "motor", {"C0", "J1"}, {1.5, -0.7}, Polynomial{{0.5, 2.0}}, 3.0, 0.4, lower, upper, {}});
    Mechanism called = bare();
    called.add(Controller{"pilot",
                          {"C0", "J1"},
                          [lower = lower, upper = upper](Controls& controls) {
                            const int c = controls.index("C0"), j = controls.index("J1");
                            const double x =
                                1.5 * controls.position(c) - 0.7 * controls.position(j);
                            const double v = 1.5 * controls.rate(c) - 0.7 * controls.rate(j);
                            double effort = 0.5 + 2.0 * controls.time() - 3.0 * x - 0.4 * v;
                            if (lower) effort = std::max(effort, *lower);
                            if (upper) effort = std::min(effort, *upper);
                            controls.add_effort(0, 1.5 * effort);
                            controls.add_effort(1, -0.7 * effort);
                          },
                          {}});
    expect_same(built_in, called);
  }
}

// A joint that closes a loop is the same to a controller that acts on it and to one that does not.
TEST_P(Callbacks, OfAControllerThatOnlyLooksAtALoop) {
  const auto law = [](Controls& controls) {
    const int c = controls.index("C0");
    controls.add_effort(0, -1.5 * controls.position(c) - 0.7 * controls.rate(c));
  };
  auto acting = bare(), looking = bare();
  acting.add(Controller{"pilot", {"J1", "C0"}, law, {}});
  looking.add(Controller{"pilot", {"J1"}, law, {}});
  expect_same(acting, looking);
}

// The tables' entries of every joint, in the tree or not.
TEST_P(Callbacks, ControllersSeeAllJoints) {
  for (const Mechanism& sample :
       {test::sample_joints(GetParam(), false), test::sample_driven(GetParam())}) {
    const Model plain(sample);
    const auto& joints = sample.joints;
    int looked_at = 0;
    VectorXd q, v;
    const auto look = [&]<class Space>(const System<Space>& tables, Controls& controls) {
      EXPECT_EQ(controls.time(), kTime);
      std::array<double, 7> q_seen{};
      std::array<double, 6> v_seen{};
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const int j = controls.index(joints[i].name);
        EXPECT_EQ(j, static_cast<int>(i));
        const auto& joint = tables.joint(*plain.find_joint(joints[i].name));
        if (joints[i].drive) {
          const auto expected = PiecewiseSine(*joints[i].drive)(kTime);
          EXPECT_NEAR(controls.position(j), expected.value, 1e-14);
          EXPECT_NEAR(controls.rate(j), expected.rate, 1e-14);
          EXPECT_THROW(controls.coordinates(j, {}), std::invalid_argument);
          continue;
        }
        const auto Q = std::span(q_seen).first(at(joint.coordinates));
        const auto V = std::span(v_seen).first(at(joint.velocities));
        controls.coordinates(j, Q);
        controls.velocities(j, V);
        for (int k = 0; k < joint.coordinates && !joint.is_cut(); ++k) {
          EXPECT_EQ(Q[at(k)], q(joint.q + k));
        }
        for (int k = 0; k < joint.velocities && !joint.is_cut(); ++k) {
          EXPECT_NEAR(V[at(k)], v(joint.v + k), 1e-12);
        }
        ++looked_at;
        if (joint.along == kNone) {
          EXPECT_THROW(controls.position(j), std::invalid_argument);
        } else {
          EXPECT_EQ(controls.position(j), Q[0]);
          EXPECT_NEAR(controls.rate(j), V[0], 1e-12);
        }
      }
      EXPECT_THROW(controls.index("nobody"), std::invalid_argument);
      EXPECT_THROW(controls.rate(99), std::invalid_argument);
      EXPECT_THROW(controls.add_effort(1, 0.0), std::invalid_argument);
    };
    Mechanism controlled = sample;
    controlled.add(Controller{"pilot",
                              {"J0"},  // in the tree with and without it
                              [&](Controls& controls) {
                                plain.visit([&](const auto& tables) { look(tables, controls); });
                              },
                              {}});
    Model(controlled).visit([&]<class Space>(const System<Space>& system) {
      RandomMechanism random(7);
      q = random.vector(system.coordinates);
      normalise_coordinates(system, q.data());
      v = random.vector(system.velocities);
      Kinematics<Space> kin(system);
      place(system, kTime, q.data(), kin);
      move(system, v.data(), kin);
      Loads<Space> loads(system);
      evaluate_loads(system, kin, kTime, q.data(), loads);
    });
    EXPECT_GT(looked_at, 2);
  }
}

TEST_P(Callbacks, ThatGiveNoNumberFailTheEvaluation) {
  const std::vector<ForceDescription> bad{
      EffortCallback{"bad", "J1", [](double, double, double) { return kNaN; }, {}},
      LoadCallback{"bad",
                   "B1",
                   [](double, const BodyState&) -> BodyLoad {
                     return {Vector3d::Constant(kNaN), Vector3d::Zero()};
                   },
                   {}},
      Controller{"bad", {"J1"}, [](Controls& controls) { controls.add_effort(0, kNaN); }, {}}};
  for (const auto& force : bad) {
    const Model model(bare().add(force));
    const VectorXd q = VectorXd::Zero(model.coordinate_count());
    const VectorXd u = VectorXd::Zero(model.velocity_count());
    for (const auto& name : formulation_names()) {
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      const StateView state{kTime, q.data(), u.data()};
      formulation->analyse(state, *workspace);
      EXPECT_EQ(formulation->rate(state, *workspace), Status::kNotFinite) << name;
    }
  }
}

TEST_P(Callbacks, DoNotFollowToAnotherScalar) {
  const Model model(
      bare().add(EffortCallback{"mine", "J1", [](double, double, double) { return 1.0; }, {}}));
  model.visit([](const auto& system) {
    try {
      static_cast<void>(system.template cast<Dual>());
      FAIL() << "no refusal";
    } catch (const std::logic_error& error) {
      EXPECT_STREQ(error.what(), "force \"mine\" is a callback, which exists for double only");
    }
    EXPECT_NO_THROW(static_cast<void>(system.template cast<double>()));
    EXPECT_NO_THROW(static_cast<void>(system.without_forces().template cast<Dual>()));
    EXPECT_FALSE(is_conservative(system));
  });
}

INSTANTIATE_TEST_SUITE_P(Spaces, Callbacks,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

}  // namespace
}  // namespace hamiltree
