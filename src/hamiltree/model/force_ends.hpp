// The bodies and joints that a force acts on, whatever its kind, for those who collect or change
// them: by name in descriptions, by number in tables.
#pragma once

#include <variant>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

template <class F>
struct BodyNameVisit : IgnoreFields {
  const F& f;

  explicit BodyNameVisit(const F& each) : f(each) {}
  template <class Name>
  void body(const char*, Name& name) {
    f(name);
  }
  template <class Name>
  void moved_body(const char*, Name& name) {
    f(name);
  }
  template <class Points>
  void rope(Points& points) {
    for (auto& point : points) f(point.body);
  }
  template <class Names, class Ratios, class Points>
  void pulled(Names&, Ratios&, Points& points) {
    rope(points);
  }
};

template <class F>
struct JointNameVisit : IgnoreFields {
  const F& f;

  explicit JointNameVisit(const F& each) : f(each) {}
  template <class Name>
  void joint(const char*, Name& name) {
    f(name);
  }
  template <class Names>
  void joints(const char*, Names& names) {
    for (auto& name : names) f(name);
  }
  template <class Names, class Ratios, class Points>
  void pulled(Names& names, Ratios&, Points&) {
    joints("", names);
  }
};

// f(name) for each body that it names as its own; the ground may be among them.
template <class Force, class F>
void for_each_body_name(Force& force, const F& f) {
  std::visit([&](auto& x) { x.fields(x, BodyNameVisit<F>(f)); }, force);
}

// f(name) for each joint.
template <class Force, class F>
void for_each_joint_name(Force& force, const F& f) {
  std::visit([&](auto& x) { x.fields(x, JointNameVisit<F>(f)); }, force);
}

// on_body(number) and on_joint(number, uses) for each end of a table's element.
template <class OnBody, class OnJoint>
struct EndVisit : IgnoreParts {
  const OnBody& on_body;
  const OnJoint& on_joint;

  EndVisit(const OnBody& each_body, const OnJoint& each_joint)
      : on_body(each_body), on_joint(each_joint) {}
  template <class Number>
  void joint(Number& number, Uses uses) {
    on_joint(number, uses);
  }
  template <class Number>
  void body(Number& number) {
    on_body(number);
  }
  template <class Points>
  void path(Points& points) {
    for (auto& point : points) on_body(point.body);
  }
};

template <class Element, class OnBody, class OnJoint>
void for_each_end(Element& element, const OnBody& on_body, const OnJoint& on_joint) {
  element.parts(element, EndVisit<OnBody, OnJoint>(on_body, on_joint));
}

}  // namespace hamiltree
