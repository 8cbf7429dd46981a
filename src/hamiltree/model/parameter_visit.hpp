// ParameterVisit: the parameters of a System over any scalar, one after the other, by name. See
// parameters.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/model/ballast.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

template <class Space>
class ParameterVisit {
 public:
  ParameterVisit(const Model& model, System<Space>& system) : model_(model), system_(system) {}

  // Calls visit(name, number) for every one, which it may change; complete_inertias() then makes
  // the rest of the inertias agree.
  template <class Visit>
  void all(const Visit& visit) {
    vector("gravity", system_.gravity, visit);
    for (int b = 0; b < system_.body_count(); ++b) body(b, visit);
    for (int j = 0; j < system_.joint_count(); ++j) {
      const std::string name = "joint." + model_.joint_name(j);
      vector(name + ".at_parent", system_.joints[at(j)].X_PF.r, visit);
      vector(name + ".at_child", system_.joints[at(j)].X_CM.r, visit);
    }
    forces(visit);
  }

  // Fills in the lower halves of the inertias, and their inverses.
  void complete_inertias() {
    using Scalar = typename Space::Scalar;
    for (int b = 0; b < system_.body_count(); ++b) {
      if (has_ballast(system_, b)) continue;
      auto& body = system_.bodies[at(b)];
      for (int i = 0; i < Space::kAngular; ++i) {
        for (int j = i; j < Space::kAngular; ++j) body.J_com(j, i) = body.J_com(i, j);
      }
      if constexpr (Space::kIsPlanar) {
        body.J_com_inverse(0) = Scalar(1) / body.J_com(0);
      } else {
        body.J_com_inverse = adjugate_inverse<Scalar>(body.J_com);
      }
      if (!system_.ballasted.empty()) system_.ballasted[at(b)] = body;
    }
  }

 private:
  static constexpr std::array kAxes{"x", "y", "z"};

  template <class Vector, class Visit>
  static void vector(const std::string& name, Vector& x, const Visit& visit) {
    if (x.size() == 1) return visit(name + ".z", x(0));
    for (Eigen::Index i = 0; i < x.size(); ++i) visit(name + "." + kAxes[std::size_t(i)], x(i));
  }

  // The ends of a rope over two points are a and b.
  template <class Visit>
  static void points(const std::string& name, Path<Space>& path, const Visit& visit) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::string end = path.size() == 2 ? (i == 0 ? "_a" : "_b") : "." + std::to_string(i);
      vector(name + ".point" + end, path[i].x, visit);
    }
  }

  // A ballast was made for the inertia that its body has: both stay.
  template <class Visit>
  void body(int b, const Visit& visit) {
    if (has_ballast(system_, b)) return;
    auto& body = system_.bodies[at(b)];
    const std::string name = "body." + model_.body_name(b);
    visit(name + ".mass", body.mass);
    vector(name + ".com", body.com, visit);
    for (int i = 0; i < Space::kAngular; ++i) {
      for (int j = i; j < Space::kAngular; ++j) {
        const std::string axes = Space::kIsPlanar ? "zz" : std::string(kAxes[at(i)]) + kAxes[at(j)];
        visit(name + ".inertia." + axes, body.J_com(i, j));
      }
    }
  }

  template <class Visit>
  void forces(const Visit& visit) {
    const auto of_joint = [&](const char* kind, int j) {
      return std::string(kind) + "." + model_.joint_name(j);
    };
    for (auto& x : system_.joint_springs) {
      const auto name = of_joint("spring", x.joint);
      visit(name + ".stiffness", x.stiffness);
      visit(name + ".rest", x.rest);
      visit(name + ".damping", x.damping);
    }
    for (auto& x : system_.joint_stops) {
      const auto name = of_joint(x.side > 0.0 ? "upper" : "lower", x.joint);
      visit(name + ".at", x.at);
      visit(name + ".stiffness", x.stiffness);
      visit(name + ".damping", x.damping);
      visit(name + ".transition", x.transition);
    }
    for (auto& x : system_.frictions) {
      const auto name = of_joint("friction", x.joint);
      visit(name + ".coulomb", x.coulomb);
      visit(name + ".viscous", x.viscous);
      visit(name + ".velocity_scale", x.velocity_scale);
    }
    int number = 0;
    const auto law = [&](const std::string& name, auto& x) {
      visit(name + ".stiffness", x.stiffness);
      visit(name + ".damping", x.damping);
      if (x.lower) visit(name + ".lower", *x.lower);
      if (x.upper) visit(name + ".upper", *x.upper);
    };
    for (auto& x : system_.servos) law("servo." + std::to_string(number++), x.law);
    number = 0;
    for (auto& x : system_.rope_servos) {
      const auto name = "rope_servo." + std::to_string(number++);
      points(name, x.path, visit);
      law(name, x.law);
    }
    number = 0;
    for (auto& x : system_.point_springs) {
      const auto name = "point_spring." + std::to_string(number++);
      points(name, x.path, visit);
      visit(name + ".stiffness", x.stiffness);
      visit(name + ".rest_length", x.rest_length);
      visit(name + ".damping", x.damping);
      if (x.slack) visit(name + ".slack", *x.slack);
    }
    number = 0;
    for (auto& x : system_.bushings) {
      const auto name = "bushing." + std::to_string(number++);
      vector(name + ".stiffness", x.stiffness, visit);
      vector(name + ".damping", x.damping, visit);
      vector(name + ".rotational_stiffness", x.rotational_stiffness, visit);
      vector(name + ".rotational_damping", x.rotational_damping, visit);
      if (x.angle_stiffness) visit(name + ".angle_stiffness", *x.angle_stiffness);
      if (!x.has_turn_spring) continue;
      vector(name + ".turn_stiffness", x.turn_stiffness, visit);
      vector(name + ".rest_turn", x.rest_turn, visit);
    }
  }

  const Model& model_;
  System<Space>& system_;
};

}  // namespace hamiltree
