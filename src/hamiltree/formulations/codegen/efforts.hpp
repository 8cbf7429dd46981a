// Efforts: what generated code can be given from outside, along each joint with one degree of
// freedom that is not driven.
#pragma once

#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::codegen {

// Joints of the tables, in their order.
template <class Space>
std::vector<int> effort_joints(const System<Space>& system) {
  std::vector<int> joints;
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const bool driven = joint.drive != kNone && system.drives[at(joint.drive)].coordinate;
    if (joint.along != kNone && !driven) joints.push_back(j);
  }
  return joints;
}

// Makes them inputs of a trace. A motor without feedback between whose bounds there is but one
// effort exerts that one.
template <class Space>
void take_efforts(const std::vector<int>& joints, System<Space>& system, Trace& trace) {
  for (const int j : joints) {
    const Traced effort = trace.input("effort");
    JointServo<Space> servo;
    servo.shares = {{j, 1.0}};
    servo.lower = servo.upper = effort;
    system.servos.push_back(std::move(servo));
  }
}

}  // namespace hamiltree::codegen
