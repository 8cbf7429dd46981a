// ParameterVisit: the parameters of a System over any scalar, one after the other, by name. See
// parameters.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/model/ballast.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

template <class Space>
class ParameterVisit {
 public:
  ParameterVisit(const Model& model, System<Space>& system) : model_(model), system_(system) {
    for (int b = 0; b < system.body_count(); ++b) has_ballast_.push_back(has_ballast(system, b));
  }

  // Calls visit(name, number) for every one, which it may change; complete_inertias() then makes
  // the rest of the inertias agree.
  template <class Visit>
  void all(const Visit& visit) {
    vector("gravity", system_.gravity, visit);
    for (int b = 0; b < system_.body_count(); ++b) body(b, visit);
    for (int j = 0; j < system_.joint_count(); ++j) {
      const std::string name = "joint." + model_.joint_name(j);
      auto& joint = system_.joints[at(j)];
      const bool in_tree = j < system_.body_count();  // where its body's frame is
      if (!in_tree || !joint.reversed) vector(name + ".at_parent", joint.X_PF.r, visit);
      if (!in_tree || joint.reversed) vector(name + ".at_child", joint.X_CM.r, visit);
    }
    forces(visit);
  }

  // Calls visit(name, element) for every force in the tables that has parameters. Forces are named
  // by their joints, or numbered where they have none or several; of several of a kind on one joint
  // the second has .2 behind its name, and so on.
  template <class Visit>
  void each_force(const Visit& visit) {
    std::map<std::string, int> times;
    const auto all = [&](auto& list) {
      int number = 0;
      for (auto& element : list) {
        if constexpr (requires { element.parameters(); }) {
          std::string which = std::to_string(number++);
          if constexpr (requires { element.joint; }) which = model_.joint_name(element.joint);
          if constexpr (requires { element.in_joint; }) which = model_.joint_name(element.in_joint);
          std::string name = std::string(element.parameters()) + "." + which;
          if (const int time = ++times[name]; time > 1)
            name.append(1, '.').append(std::to_string(time));
          visit(name, element);
        }
      }
    };
    ForceElements<Space>::for_each_list(all, system_);
  }

  // Calls visit(name, number) for every parameter of one of these.
  template <class Element, class Visit>
  static void of_force(const std::string& name, Element& element, const Visit& visit) {
    element.parts(element, Numbers<Visit>(name, visit));
  }

  // Fills in the lower halves of the inertias, and their inverses.
  void complete_inertias() {
    using Scalar = typename Space::Scalar;
    for (int b = 0; b < system_.body_count(); ++b) {
      if (has_ballast_[at(b)]) continue;
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

  // A ballast was made for the inertia that its body has: both stay.
  template <class Visit>
  void body(int b, const Visit& visit) {
    if (has_ballast_[at(b)]) return;
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

  // The numbers of one element of a force's table.
  template <class Visit>
  struct Numbers : IgnoreParts {
    const std::string& name;
    const Visit& visit;

    Numbers(const std::string& element, const Visit& each) : name(element), visit(each) {}
    template <class Number>
    void number(const char* key, Number& x) {
      visit(name + "." + key, x);
    }
    template <class Number>
    void number(const char* key, std::optional<Number>& x) {
      if (x) number(key, *x);
    }
    template <class Vector>
    void vector(const char* key, Vector& x) {
      ParameterVisit::vector(name + "." + key, x, visit);
    }
    // The ends of a rope over two points are a and b.
    void path(Path<Space>& points) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        const std::string end = i == 0 ? "_a" : "_b", number = std::to_string(i);
        ParameterVisit::vector(name + ".point" + (points.size() == 2 ? end : '.' + number),
                               points[i].x, visit);
      }
    }
  };

  template <class Visit>
  void forces(const Visit& visit) {
    each_force([&](const std::string& name, auto& element) { of_force(name, element, visit); });
  }

  const Model& model_;
  System<Space>& system_;
  std::vector<char> has_ballast_;  // by body, before anything is changed
};

}  // namespace hamiltree
