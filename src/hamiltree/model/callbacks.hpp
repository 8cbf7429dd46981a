// Callbacks: forces that the user's own code computes. They are for the builder only; files can say
// controllers, see io/controller. They exist for double only: a System with callbacks refuses to be
// cast to another scalar.
//
// A callback must be a function of what it is given and nothing else: integrators call it several
// times in a step, try steps that they then reject, and may go back in time. It is copied with the
// Model's tables and called from every thread that evaluates one, at the same time, so what it
// captures must be safe to share. Evaluations stay free of allocations if it allocates nothing. If
// it gives a number that is not finite, the evaluation fails as any other: the rates are not
// finite.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"

namespace hamiltree {

// An effort on the child of a joint with one degree of freedom, N m or N, from the time, the
// joint's coordinate and its rate.
struct EffortCallback {
  std::string name;
  std::string joint;
  std::function<double(double t, double q, double q_dot)> effort;
  SourceLocation where;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.callback("effort", self.effort);
  }
  template <class Tables>
  void compile(const Tables& to) const {
    to.system.joint_callbacks.push_back({name, to.joint(joint), effort});
  }
};

// How a body's frame, as the user gave it, stands and moves in the world. In the plane z is 0 and
// everything turns about z.
struct BodyState {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();          // m, of its origin
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();      // its axes as columns
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          // m/s, of its origin
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  // rad/s
};

// Force and moment at the origin of the body's frame, in world axes; the plane takes x, y and the
// moment's z.
struct BodyLoad {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   // N
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // N m
};

struct LoadCallback {
  std::string name;
  std::string body;
  std::function<BodyLoad(double t, const BodyState&)> load;
  SourceLocation where;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.moved_body("body", self.body);
    visit.callback("load", self.load);
  }
  template <class Tables>
  void compile(const Tables& to) const {
    to.system.body_callbacks.push_back({name, to.body(body), to.pose(body, {}), load});
  }
};

// The interface of a controller: what it sees and how it acts. Joints have the index that they have
// in Mechanism::joints. What it asks for must exist: anything else throws std::invalid_argument.
class Controls {
 public:
  virtual double time() const = 0;
  virtual int index(std::string_view joint) const = 0;

  // For a joint with one degree of freedom, driven or not.
  virtual double position(int joint) const = 0;
  virtual double rate(int joint) const = 0;
  // For any joint that is not driven: as many numbers as it has coordinates, and velocities.
  virtual int coordinate_count(int joint) const = 0;
  virtual int velocity_count(int joint) const = 0;
  virtual void coordinates(int joint, std::span<double> q) const = 0;
  virtual void velocities(int joint, std::span<double> v) const = 0;

  // Adds to the effort on the child of the i-th of the controller's joints, N m or N.
  virtual void add_effort(int i, double effort) = 0;

 protected:
  ~Controls() = default;
};

// Sets the efforts of chosen joints with one degree of freedom from the state of all.
struct Controller {
  std::string name;
  std::vector<std::string> joints;
  std::function<void(Controls&)> law;
  SourceLocation where;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joints("joints", self.joints);
    visit.callback("law", self.law);
  }
  template <class Tables>
  void compile(const Tables& to) const {
    std::vector<int> numbers;
    for (const auto& joint : joints) numbers.push_back(to.joint(joint));
    to.system.control_laws.push_back({name, numbers, to.directory(), law});
  }
};

}  // namespace hamiltree
