// A four-bar whose motion is known in closed form, for tests of analyses.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

inline BodyDescription bar(const std::string& name, double mass, double com, double inertia) {
  return {name, mass, {com, 0.0, 0.0}, Eigen::Vector3d::Constant(inertia).asDiagonal(), false, {}};
}

inline JointDescription pin(const std::string& name, const std::string& parent,
                            const std::string& child, double at_parent = 0.0, double guess = 0.0) {
  JointDescription joint;
  joint.name = name;
  joint.type = JointType::kRevolute;
  joint.parent = parent;
  joint.child = child;
  joint.at_parent.position = {at_parent, 0.0, 0.0};
  joint.guess_q = Eigen::VectorXd::Constant(1, guess);
  return joint;
}

// Crank, coupler and rocker on a base; gravity along -y. The coordinate is the angle of the crank
// against the base, in which
//   M(phi) = sum of m |c'|^2 + J theta'^2,   V(phi) = sum of m g y,   c' = dc/dphi
struct FourBar {
  static constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.6, kBase = 0.7, kGravity = 9.81;
  struct Bar {
    double mass, com, inertia;
  };
  static constexpr std::array<Bar, 3> kBars{
      {{0.7, 0.1, 0.02}, {1.1, 0.45, 0.06}, {0.9, 0.25, 0.04}}};

  // Angles of the three bars against the base; open configuration.
  static std::array<long double, 3> angles(long double phi) {
    const long double x = kBase - kCrank * std::cos(phi), y = -kCrank * std::sin(phi);
    const long double d = std::sqrt(x * x + y * y), toward = std::atan2(y, x);
    const long double cosine =
        (d * d + kCoupler * kCoupler - kRocker * kRocker) / (2 * d * kCoupler);
    const long double coupler = toward + std::acos(cosine);
    const long double rocker =
        std::atan2(kCoupler * std::sin(coupler) - y, kCoupler * std::cos(coupler) - x);
    return {phi, coupler, rocker};
  }

  // d(theta)/d(phi) of the bars: the ends of coupler and rocker move together.
  static std::array<long double, 3> angle_rates(long double phi) {
    const auto [crank, coupler, rocker] = angles(phi);
    return {1, -kCrank * std::sin(crank - rocker) / (kCoupler * std::sin(coupler - rocker)),
            kCrank * std::sin(crank - coupler) / (kRocker * std::sin(rocker - coupler))};
  }

  // dx/dphi, dy/dphi and dtheta/dphi of bar i at its centre of mass.
  static std::array<long double, 3> rates(std::size_t i, long double phi) {
    const long double theta = angles(phi)[i], rate = angle_rates(phi)[i];
    const long double carried = i == 1 ? kCrank : 0;  // the coupler hangs on the crank
    return {-carried * std::sin(phi) - kBars[i].com * rate * std::sin(theta),
            carried * std::cos(phi) + kBars[i].com * rate * std::cos(theta), rate};
  }

  // A difference of sixth order; the step balances truncation and the rounding of long double.
  template <class F>
  static long double derivative(const F& f, long double x) {
    constexpr long double h = 4e-3L;
    const auto second = [&](long double s) { return (f(x + s) - f(x - s)) / (2 * s); };
    const auto fourth = [&](long double s) { return (4 * second(s / 2) - second(s)) / 3; };
    return (16 * fourth(h / 2) - fourth(h)) / 15;
  }

  static long double mass(long double phi) {
    long double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [x, y, theta] = rates(i, phi);
      sum += kBars[i].mass * (x * x + y * y) + kBars[i].inertia * theta * theta;
    }
    return sum;
  }
  // dV/dphi
  static long double slope(long double phi) {
    long double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += kBars[i].mass * kGravity * rates(i, phi)[1];
    return sum;
  }
  // phi_ddot
  static long double acceleration(long double phi, long double rate) {
    return -(slope(phi) + derivative(mass, phi) * rate * rate / 2) / mass(phi);
  }

  static Mechanism mechanism(SpaceKind space, double phi) {
    Mechanism m;
    m.name = "four-bar";
    m.space = space;
    m.gravity = {0.0, -kGravity, 0.0};
    const std::array<std::string, 3> names{"crank", "coupler", "rocker"};
    for (std::size_t i = 0; i < 3; ++i) {
      m.add(bar(names[i], kBars[i].mass, kBars[i].com, kBars[i].inertia));
    }
    const auto theta = angles(phi);
    const auto turn = [&](std::size_t to, std::size_t from) {
      return static_cast<double>(theta[to] - (from < 3 ? theta[from] : 0));
    };
    m.add(pin("A", kGround, "crank", 0.0));
    m.joints.back().guess_q.reset();
    m.joints.back().initial_q = Eigen::VectorXd::Constant(1, phi);
    m.add(pin("B", "crank", "coupler", kCrank, turn(1, 0)));
    m.add(pin("D", kGround, "rocker", kBase, turn(2, 3)));
    m.add(pin("C", "coupler", "rocker", kCoupler, turn(2, 1)));
    m.joints.back().at_child.position = {kRocker, 0.0, 0.0};
    m.joints.back().cut = true;
    return m;
  }
};

}  // namespace hamiltree::test
