// Couplings along curves. A follower on a parabola, whose Hamiltonian is known in closed form:
// rates against complex steps of it, motion against its energy. Energy and closure of mechanisms in
// the plane and in space by every formulation, checkpoints, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/gravity.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::kGravity;
using test::run;

// A slide along x and one along y, which follows y = c0 + c1 x + c2 x^2 + c3 x^3 + c4 x^4.
struct Cam {
  double leader = 1.7, follower = 0.6;  // kg
  std::array<double, 5> c{0.2, -0.3, 0.8, 0.15, 0.1};

  Model model(SpaceKind space = SpaceKind::kPlanar) const {
    Mechanism mechanism;
    mechanism.space = space;
    mechanism.gravity = {0.0, -kGravity, 0.0};
    const double mass[] = {leader, follower};
    for (int i = 0; i < 2; ++i) {
      BodyDescription body;
      body.name = i == 0 ? "leader" : "follower";
      body.mass = mass[i];
      body.inertia.diagonal().setConstant(0.1);
      mechanism.add(body);
      JointDescription joint;
      joint.name = i == 0 ? "x" : "y";
      joint.type = JointType::kPrismatic;
      joint.parent = kGround;
      joint.child = body.name;
      const Eigen::Vector3d from =
          space == SpaceKind::kPlanar ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
      const Eigen::Vector3d to = i == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
      joint.at_parent.rotation = Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
      joint.at_child.rotation = joint.at_parent.rotation;
      if (i == 0) joint.initial_q = Eigen::VectorXd::Constant(1, kStart);
      mechanism.add(joint);
    }
    Coupling coupling{"cam", "y", "x", 0.0, 0.0, {}};
    coupling.set_polynomial(c);
    mechanism.add(std::move(coupling));
    return Model(mechanism);
  }

  template <class T>
  T height(T x) const {
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
  }
  template <class T>
  T slope(T x) const {
    return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
  }
  // With v = (p_x + P' p_y) / (m_x + P'^2 m_y):  H = v (p_x + P' p_y) / 2 + m_y g P
  template <class T>
  T velocity(T x, T p_x, T p_y) const {
    return (p_x + slope(x) * p_y) / (leader + follower * slope(x) * slope(x));
  }
  template <class T>
  T hamiltonian(T x, T p_x, T p_y) const {
    return 0.5 * velocity(x, p_x, p_y) * (p_x + slope(x) * p_y) + follower * kGravity * height(x);
  }
  static constexpr double kStart = 0.9;
};

class CurvedCoupling : public testing::TestWithParam<std::tuple<const char*, SpaceKind>> {
 public:
  static std::string name(const testing::TestParamInfo<ParamType>& info) {
    return std::string(std::get<0>(info.param)) +
           (std::get<1>(info.param) == SpaceKind::kPlanar ? "_planar" : "_spatial");
  }

 protected:
  std::string formulation() const { return std::get<0>(GetParam()); }
  SpaceKind space() const { return std::get<1>(GetParam()); }
};

class CurvedMomenta : public CurvedCoupling {};

// At momenta of which the coupling holds a part, so that its impulse acts on p_dot.
TEST_P(CurvedMomenta, AreThoseOfTheHamiltonian) {
  constexpr unsigned kSeed = 5;
  constexpr double kStep = 1e-40;
  const Cam cam;
  const Model model = cam.model(space());
  const auto kernel = make_formulation(formulation(), model);
  const auto workspace = kernel->make_workspace();
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  double worst = 0.0;
  for (int i = 0; i < 50; ++i) {
    const double x = uniform(random);
    const Eigen::Vector2d q(x, cam.height(x)), p(uniform(random), uniform(random));
    kernel->analyse({0.0, q.data(), p.data()}, *workspace);
    ASSERT_EQ(kernel->rate({0.0, q.data(), p.data()}, *workspace), Status::kOk);
    using C = std::complex<double>;
    const double by_x = cam.hamiltonian(C(x, kStep), C(p(0)), C(p(1))).imag() / kStep;
    const double v = cam.velocity(x, p(0), p(1));
    // What weight does to the follower is its own; along the curve both are -dH/dx.
    const double along = workspace->u_dot[0] + cam.slope(x) * workspace->u_dot[1];
    worst = std::max({worst, std::abs(workspace->q_dot[0] - v),
                      std::abs(workspace->q_dot[1] - cam.slope(x) * v),
                      std::abs(workspace->u_dot[1] + cam.follower * kGravity),
                      std::abs(along + by_x) / (1.0 + std::abs(by_x))});
  }
  std::printf("%s: seed %u, worst %.2g\n", formulation().c_str(), kSeed, worst);
  EXPECT_LT(worst, 1e-12);
}

// x_dot^2 (m_x + m_y P'^2) / 2 + m_y g P = m_y g P(start)
TEST_P(CurvedCoupling, MotionKeepsTheEnergyOfItsCurve) {
  const Cam cam;
  const auto recording = run(cam.model(space()), formulation(), 1e-11, 3.0, 0.01);
  const auto x = column(recording, "q.x"), y = column(recording, "q.y");
  const auto v = column(recording, "v.x"), v_y = column(recording, "v.y");
  const double start = cam.height(Cam::kStart);
  double worst = 0.0, missed = 0.0, furthest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double inertia = cam.leader + cam.follower * cam.slope(x[i]) * cam.slope(x[i]);
    const double drop = 2.0 * cam.follower * kGravity * (start - cam.height(x[i]));
    worst = std::max(worst, std::abs(inertia * v[i] * v[i] - drop));
    missed = std::max(
        {missed, std::abs(y[i] - cam.height(x[i])), std::abs(v_y[i] - cam.slope(x[i]) * v[i])});
    furthest = std::max(furthest, std::abs(x[i] - Cam::kStart));
  }
  std::printf("%s: energy of the curve missed by %.2g J, the curve by %.2g, of a way of %.2g m\n",
              formulation().c_str(), worst, missed, furthest);
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(missed, 1e-12);
  EXPECT_GT(furthest, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Formulations, CurvedMomenta,
                         testing::Combine(testing::Values("dense", "recursive", "hdca"),
                                          testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial)),
                         CurvedCoupling::name);
INSTANTIATE_TEST_SUITE_P(Formulations, CurvedCoupling,
                         testing::Combine(testing::Values("dense", "recursive", "hdca", "aba",
                                                          "dca", "auto"),
                                          testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial)),
                         CurvedCoupling::name);

// Two arms on a floating base in space, one joint of each arm led along a curve by the other arm.
Mechanism two_arms() {
  Mechanism mechanism;
  mechanism.gravity = {0.0, 0.0, -kGravity};
  const auto add = [&](const std::string& name, const std::string& parent, JointType type,
                       const Eigen::Vector3d& axis) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0 + 0.3 * static_cast<double>(mechanism.bodies.size());
    body.com = {0.1, 0.05, -0.15};
    body.inertia.diagonal() = Eigen::Vector3d(0.03, 0.04, 0.05);
    mechanism.add(body);
    JointDescription joint;
    joint.name = name + "_joint";
    joint.type = type;
    joint.parent = parent;
    joint.child = name;
    joint.at_parent.rotation =
        Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
    joint.at_child.rotation = joint.at_parent.rotation;
    if (parent != kGround) joint.at_parent.position = {0.0, 0.2, -0.3};
    mechanism.add(joint);
  };
  const auto x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();
  add("base", kGround, JointType::kFree, Eigen::Vector3d::UnitZ());
  add("left", "base", JointType::kRevolute, x);
  add("left_hand", "left", JointType::kRevolute, y);
  add("right", "base", JointType::kRevolute, y);
  add("right_hand", "right", JointType::kPrismatic, x);
  mechanism.joints[1].initial_q = Eigen::VectorXd::Constant(1, 0.7);
  mechanism.joints[1].initial_v = Eigen::VectorXd::Constant(1, 3.0);
  mechanism.joints[3].initial_q = Eigen::VectorXd::Constant(1, -0.4);
  mechanism.joints[3].initial_v = Eigen::VectorXd::Constant(1, 2.0);
  Coupling crossed{"crossed", "left_hand_joint", "right_joint", 0.0, 0.0, {}};
  crossed.set_polynomial(std::array{0.1, 0.4, -0.6, 0.2, 0.05});
  mechanism.add(crossed);
  Coupling slide{"slide", "right_hand_joint", "left_joint", 0.0, 0.0, {}};
  slide.set_polynomial(std::array{0.0, 0.0, 0.1});
  mechanism.add(slide);
  return mechanism;
}

class TwoArms : public testing::TestWithParam<const char*> {};

TEST_P(TwoArms, KeepEnergyAndMomentumAndTheirCurves) {
  const auto mechanism = two_arms();
  const auto recording = run(Model(mechanism), GetParam(), 1e-10, 2.0, 0.02);
  double worst = 0.0, motion = 0.0;
  for (const auto& coupling : mechanism.couplings) {
    const auto y = column(recording, "q." + coupling.joint),
               x = column(recording, "q." + coupling.to);
    const auto c = coupling.polynomial();
    for (std::size_t i = 0; i < x.size(); ++i) {
      double sum = 0.0;
      for (std::size_t k = c.size(); k-- > 0;) sum = sum * x[i] + c[k];
      worst = std::max(worst, std::abs(y[i] - sum));
      motion = std::max(motion, std::abs(y[i] - y[0]));
    }
  }
  const double drift = recording.summary.energy.max_relative_error;
  std::printf("%s: curves missed by %.2g of %.2g, energy %.2g\n", GetParam(), worst, motion, drift);
  EXPECT_EQ(recording.summary.model.degrees_of_freedom, 8);
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(motion, 0.3);
  EXPECT_LT(drift, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Formulations, TwoArms,
                         testing::Values("dense", "recursive", "hdca", "aba", "dca", "auto"));

TEST(CurvedCouplings, AreTakenUpAtACheckpointBitForBit) {
  const Model model{two_arms()};
  Simulation simulation(model, {});
  std::vector<Checkpoint> kept;
  simulation.on_checkpoint(0.2, [&](const Checkpoint& checkpoint) { kept.push_back(checkpoint); });
  const auto whole = simulation.run_until(0.6, 0.05);
  ASSERT_GE(kept.size(), 3U);
  for (const auto& checkpoint : kept) {
    auto later = Simulation::from_checkpoint(model, checkpoint);
    later.on_checkpoint(0.2, nullptr);
    Recording rest;
    later.resume(rest);
    EXPECT_EQ(rest.samples.back().q, whole.samples.back().q);
    EXPECT_EQ(rest.samples.back().p, whole.samples.back().p);
  }
}

TEST(CurvedCouplings, AreLeftToKernelsThatTakeThem) {
  const Model model{two_arms()};
  EXPECT_NE(
      make_formulation("recursive", model)->plan().find("in joint axes: a coupling is curved"),
      std::string::npos)
      << make_formulation("recursive", model)->plan();
}

std::string error_of(Mechanism mechanism, const std::string& to, std::vector<double> c) {
  mechanism.couplings.back().to = to;
  mechanism.couplings.back().set_polynomial(c);
  try {
    Model model(mechanism);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CurvedCouplings, ThatMeanNothingAreRefused) {
  const auto arms = two_arms();
  EXPECT_EQ(error_of(arms, "left_joint", {1.0, 0.0, 0.0}),
            "coupling \"slide\": ratio, or a number of polynomial behind the first, must not be 0");
  EXPECT_EQ(error_of(arms, "left_joint", {0.0, 1.0, std::nan("")}),
            "coupling \"slide\": polynomial is not a finite number");
}

}  // namespace
}  // namespace hamiltree
