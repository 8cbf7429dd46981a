// Springs with a characteristic curve: through its points, monotone between them, straight beyond,
// with a continuous slope, and with the energy that its integral is.
#include "hamiltree/forces/curve_spring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "forces/states.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/forces/curve_spring.hpp"
#include "hamiltree/model/parameters.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

const std::vector<double> kDeflections{-0.7, -0.4, 0.1, 0.2, 1.5};
const std::vector<double> kEfforts{-9.0, -2.0, -0.5, 1.0, 1.5};

double f(const std::vector<CurvePiece>& curve, double x) { return curve_value(curve, x).value; }
double slope(const std::vector<CurvePiece>& curve, double x) {
  return curve_value(curve, Dual(x, 1.0)).value.derivative;
}

TEST(CurveSpring, GoesThroughItsPointsAndStraightOnBeyond) {
  const auto curve = monotone_curve(kDeflections, kEfforts);
  for (std::size_t i = 0; i < kDeflections.size(); ++i) {
    EXPECT_NEAR(f(curve, kDeflections[i]), kEfforts[i], 1e-14);
  }
  const double before = (-2.0 + 9.0) / 0.3, behind = 0.5 / 1.3;
  for (const double way : {0.1, 1.0, 30.0}) {
    EXPECT_NEAR(f(curve, -0.7 - way), -9.0 - before * way, 1e-13 * (1.0 + way));
    EXPECT_NEAR(f(curve, 1.5 + way), 1.5 + behind * way, 1e-13 * (1.0 + way));
  }
}

TEST(CurveSpring, RisesWhereItsPointsDoAndTurnsOnlyAtThem) {
  test::RandomMechanism random(91);
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<double> x{random.uniform(-1.0, 0.0)}, y{random.uniform(-3.0, 3.0)};
    for (int i = random.integer(1, 6); i > 0; --i) {
      x.push_back(x.back() + random.uniform(0.05, 1.0));
      y.push_back(random.uniform(-3.0, 3.0));
    }
    const auto curve = monotone_curve(x, y);
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double rise = y[i + 1] - y[i];
      for (double u = 0.01; u < 1.0; u += 0.0198) {
        EXPECT_GE(slope(curve, x[i] + u * (x[i + 1] - x[i])) * rise, -1e-12) << sample;
      }
    }
    for (const double knot : x) {
      EXPECT_NEAR(slope(curve, knot - 1e-9), slope(curve, knot + 1e-9), 1e-4) << sample;
      EXPECT_NEAR(slope(curve, knot), slope(curve, knot + 1e-9), 1e-4) << sample;
    }
  }
}

TEST(CurveSpring, StoresTheIntegralOfItsCurve) {
  const auto curve = monotone_curve(kDeflections, kEfforts);
  const auto energy = [&](double x) { return curve_value(curve, x).integral; };
  EXPECT_EQ(energy(-0.7), 0.0);
  for (double x = -1.5; x < 2.5; x += 0.037) {
    EXPECT_NEAR(curve_value(curve, Dual(x, 1.0)).integral.derivative, f(curve, x), 1e-13) << x;
  }
  // Simpson's rule is exact for cubics.
  double sum = 0.0;
  std::vector<double> knots = kDeflections;
  knots.push_back(2.3);
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double a = knots[i], b = knots[i + 1];
    sum += (b - a) / 6.0 * (f(curve, a) + 4.0 * f(curve, 0.5 * (a + b)) + f(curve, b));
    EXPECT_NEAR(energy(b), sum, 1e-13);
  }
}

Mechanism body_on_a_pin() { return test::one_body(SpaceKind::kPlanar, JointType::kRevolute); }

// Three points on a line are a linear spring; scale and rest act as in its law.
TEST(CurveSpring, OnALineIsALinearSpring) {
  Mechanism m = body_on_a_pin();
  Mechanism linear = m;
  linear.add(JointSpringDamper{"J", 6.0, 0.4, 0.7, {}});
  m.add(CurveSpring{"c", "J", {-1.0, 0.5, 2.0}, {-2.0, 1.0, 4.0}, 3.0, 0.4, 0.7, {}});
  const auto evaluate = [](const Model& model, double q, double v) {
    return model.visit([&](const auto& system) {
      Kinematics kin(system);
      Loads loads(system);
      place(system, 0.0, &q, kin);
      move(system, &v, kin);
      evaluate_loads(system, kin, 0.0, &q, loads);
      return std::pair(loads.effort.front(), potential_energy(system, kin, &q));
    });
  };
  const Model curved(m), straight(linear);
  for (const double q : {-30.0, -2.0, 0.0, 0.4, 1.1, 2.7, 50.0}) {
    const auto [effort, energy] = evaluate(curved, q, 0.8);
    const auto [linear_effort, linear_energy] = evaluate(straight, q, 0.8);
    EXPECT_NEAR(effort, linear_effort, 1e-12 * (1.0 + std::abs(q))) << q;
    EXPECT_NEAR(energy, linear_energy, 1e-12 * (1.0 + q * q)) << q;
  }
}

// The numbers of two springs on one joint have two names.
TEST(CurveSpring, SecondOnAJointIsAParameterOfItsOwn) {
  Mechanism m = body_on_a_pin();
  m.add(CurveSpring{"c", "J", {-1.0, 1.0}, {-2.0, 2.0}, 3.0, 0.4, 0.7, {}});
  m.add(CurveSpring{"d", "J", {-1.0, 1.0}, {-2.0, 2.0}, 5.0, 0.4, 0.7, {}});
  const Model both(m);
  const auto changed = with_parameters(both, {{"curve_spring.J.2.scale", 6.0}});
  std::map<std::string, double> values;
  for (const auto& [name, value] : parameters(changed)) {
    EXPECT_TRUE(values.emplace(name, value).second) << name;
  }
  EXPECT_EQ(values.at("curve_spring.J.scale"), 3.0);
  EXPECT_EQ(values.at("curve_spring.J.2.scale"), 6.0);
}

}  // namespace
}  // namespace hamiltree
