// Inputs: what generated code can be given from outside, and how a trace takes it.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::codegen {

struct Inputs {
  bool efforts = false;   // along each joint with one degree of freedom that is not driven
  bool drives = false;    // the motions of driven joints, in place of their functions
  bool wrenches = false;  // on each body, at its origin, in world axes
};

// Reads words between commas: "efforts,drives", or "none". Throws UsageError.
Inputs inputs_of(const std::string& words);

// Those that a model has of them, by joints and bodies of the tables, in their order.
struct InputPlaces {
  std::vector<int> efforts, drives, wrenches;
};

template <class Space>
InputPlaces places_of(const Inputs& inputs, const System<Space>& system) {
  InputPlaces places;
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const bool driven = joint.drive != kNone && system.drives[at(joint.drive)].coordinate;
    if (inputs.drives && driven) places.drives.push_back(j);
    if (inputs.efforts && !driven && joint.along != kNone) places.efforts.push_back(j);
  }
  for (int b = 0; inputs.wrenches && b < system.body_count(); ++b) places.wrenches.push_back(b);
  return places;
}

// A motor without feedback between whose bounds there is but one effort exerts that one. Its own is
// far below, so that the bound rules and not a tie, which would have another derivative.
template <class Space>
void take_efforts(const std::vector<int>& joints, System<Space>& system, Trace& trace) {
  for (const int j : joints) {
    const Traced effort = trace.input("effort");
    JointServo<Space> servo;
    servo.shares = {{j, 1.0}};
    servo.law.effort = PiecewiseSine(Polynomial{{-1e300}});
    servo.law.lower = servo.law.upper = effort;
    system.servos.push_back(std::move(servo));
  }
}

// The time of all motions, then each one's value, rate and acceleration at it.
template <class Space>
void take_drives(const std::vector<int>& joints, System<Space>& system, Trace& trace) {
  if (joints.empty()) return;
  const Traced since = trace.input("drive");
  system.given_motions.resize(system.drives.size());
  for (const int j : joints) {
    auto& motion = system.given_motions[at(system.joint(j).drive)];
    motion.since = since;
    for (auto* part : {&motion.value, &motion.rate, &motion.acceleration})
      *part = trace.input("drive");
  }
}

// Force, then moment.
template <class Space>
void take_wrenches(const Model& model, const std::vector<int>& bodies, System<Space>& system,
                   Trace& trace) {
  for (const int b : bodies) {
    BodyWrench<Space> wrench;
    wrench.body = b;
    const Eigen::Vector3d origin = model.user_frame(b).position;
    wrench.X.r = origin.head<Space::kLinear>().template cast<Traced>();
    auto& F = wrench.given.emplace();
    for (Eigen::Index i = 0; i < F.size(); ++i) F(i) = trace.input("load");
    system.wrenches.push_back(std::move(wrench));
  }
}

}  // namespace hamiltree::codegen
