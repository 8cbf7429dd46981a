// The readings of sensors, over any Scalar: a Probe reads them in a run, generated code traces
// them. Channels and units are those of simulation/recording_header.hpp, in its order.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/transmitted.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

template <class Scalar>
Eigen::Matrix<Scalar, 3, 3> rotation_in_space(const Eigen::Matrix<Scalar, 2, 2>& R) {
  Eigen::Matrix<Scalar, 3, 3> result = Eigen::Matrix<Scalar, 3, 3>::Identity();
  result.template topLeftCorner<2, 2>() = R;
  return result;
}
template <class Scalar>
Eigen::Matrix<Scalar, 3, 3> rotation_in_space(const Eigen::Matrix<Scalar, 3, 3>& R) {
  return R;
}

// The unit quaternion of a rotation, without a branch: w is positive where the trace is, else the
// component of the largest diagonal entry (Shepperd's choice, as Eigen makes it).
template <class Scalar>
std::array<Scalar, 4> quat_wxyz_of(const Eigen::Matrix<Scalar, 3, 3>& R) {
  using std::sqrt;
  using Row = std::array<Scalar, 4>;
  const Scalar one(1), half(0.5);
  const auto among = [](const auto& condition, const Row& x, const Row& y) {
    Row row;
    for (std::size_t i = 0; i < 4; ++i) row[i] = select(condition, x[i], y[i]);
    return row;
  };
  const Scalar trace = R(0, 0) + R(1, 1) + R(2, 2);
  const Scalar wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  const Scalar xy = R(1, 0) + R(0, 1), xz = R(2, 0) + R(0, 2), yz = R(2, 1) + R(1, 2);
  // Each row times one of the components, 4 of it.
  const Row by_w{trace + one, wx, wy, wz};
  const Row by_x{wx, R(0, 0) - R(1, 1) - R(2, 2) + one, xy, xz};
  const Row by_y{wy, xy, R(1, 1) - R(2, 2) - R(0, 0) + one, yz};
  const Row by_z{wz, xz, yz, R(2, 2) - R(0, 0) - R(1, 1) + one};
  const auto z_above_x = R(0, 0) < R(2, 2), z_above_y = R(1, 1) < R(2, 2);
  const auto x_or_z = among(z_above_x, by_z, by_x), y_or_z = among(z_above_y, by_z, by_y);
  const auto y_above_x = R(0, 0) < R(1, 1), w_rules = Scalar(0) < trace;
  const auto row = among(w_rules, by_w, among(y_above_x, y_or_z, x_or_z));
  const Scalar square = select(
      w_rules, by_w[0],
      select(y_above_x, select(z_above_y, by_z[3], by_y[2]), select(z_above_x, by_z[3], by_x[1])));
  const Scalar root = sqrt(square);
  const Scalar share = half / root;
  Row quat_wxyz;
  for (std::size_t i = 0; i < 4; ++i) quat_wxyz[i] = row[i] * share;
  return quat_wxyz;
}

// Appends what a joint transmits: forces and moments in world axes and in the joint's own, then the
// effort of a drive.
template <class Space>
void append_transmitted(const Transmitted<Space>& transmitted,
                        std::vector<typename Space::Scalar>& out) {
  for (const auto* F : {&transmitted.world, &transmitted.joint}) {
    for (int i = 0; i < Space::kDimension; ++i) out.push_back((*F)(i));
  }
  if (transmitted.is_driven) out.push_back(transmitted.drive);
}

// Appends coordinates and velocities of a joint that is not in the state; angles of cuts are within
// half a turn.
template <class Space>
void append_outside(const System<Space>& system, const Kinematics<Space>& kin, int j,
                    std::vector<typename Space::Scalar>& out) {
  using Scalar = typename Space::Scalar;
  const auto& joint = system.joint(j);
  if (joint.along != kNone) {
    const std::vector<Scalar> none(at(system.coordinates), Scalar(0));  // it reads none of them
    out.push_back(joint_position(system, kin, none.data(), j));
    out.push_back(joint_rate(system, kin, j));
    return;
  }
  visit_joint<Space>(joint, [&]<class J>(const J& type) {
    const auto X = relative_pose(system, kin, j);
    if constexpr (J::kCoordinates > J::kVelocities) {
      if constexpr (J::kVelocities > 3) {
        for (int i = 0; i < 3; ++i) out.push_back(X.r(i));
      }
      const auto x = quat_wxyz_of<Scalar>(X.R);
      out.insert(out.end(), x.begin(), x.end());
    } else {
      std::array<Scalar, 7> q{};
      type.coordinates(X, q.data());
      out.insert(out.end(), q.begin(), q.begin() + J::kCoordinates);
    }
  });
  const auto V = seen_motion(system, kin, j);
  for (int i = 0; i < joint.velocities; ++i) out.push_back(V(joint.free[at(i)]));
}

// Appends the readings of one kind of sensor; planar mechanisms report x, y and one angle.
template <class Space, class OfJoint, class Outside>
struct SensorReader {
  using Scalar = typename Space::Scalar;

  const Model& model;
  const System<Space>& system;
  const Kinematics<Space>& kin;
  const Scalar *q, *v;
  const OfJoint& transmitted;  // (joint, out): appends what it transmits
  const Outside& outside;      // (joint, out): its coordinates and velocities, not in the state
  std::vector<Scalar>& out;

  void operator()(const BodySensor& s) {
    const int b = *model.find_body(s.body);
    const Eigen::Matrix<Scalar, 3, 3> R = rotation_in_space<Scalar>(kin.pose(b).R) *
                                          model.user_frame(b).rotation.template cast<Scalar>();
    const typename Space::Position com = kin.pose(b) * system.body(b).com;
    add(com);
    if constexpr (Space::kIsPlanar) {
      using std::atan2;
      out.push_back(atan2(R(1, 0), R(0, 0)));
    } else {
      const auto x = quat_wxyz_of<Scalar>(R);
      out.insert(out.end(), x.begin(), x.end());
    }
    const auto V = kin.velocity_at(b, com);
    add(linear<Space>(V));
    const auto omega = angular<Space>(V);
    for (int i = 0; i < Space::kAngular; ++i) out.push_back(omega(i));
  }
  void operator()(const PointSensor& s) {
    const int b = *model.find_body(s.body);
    const Frame& frame = model.user_frame(b);
    const Eigen::Vector3d local = frame.position + frame.rotation * s.position;
    const typename Space::Position x =
        kin.pose(b) *
        typename Space::Position(local.template head<Space::kLinear>().template cast<Scalar>());
    add(x);
    add(linear<Space>(kin.velocity_at(b, x)));
  }
  void operator()(const JointSensor& s) {
    const int j = *model.find_joint(s.joint);
    const auto& joint = system.joint(j);
    if (!joint.has_velocity()) return outside(j, out);
    out.insert(out.end(), q + joint.q, q + joint.q + joint.coordinates);
    out.insert(out.end(), v + joint.v, v + joint.v + joint.velocities);
  }
  void operator()(const ReactionSensor& s) { transmitted(*model.find_joint(s.joint), out); }
  void operator()(const EnergySensor&) {
    const Scalar kinetic = kinetic_energy(system, kin),
                 potential = potential_energy(system, kin, q);
    out.insert(out.end(), {kinetic, potential, kinetic + potential});
  }

 private:
  void add(const typename Space::Position& x) {
    for (int i = 0; i < Space::kLinear; ++i) out.push_back(x(i));
  }
};

// Readings of all sensors of the model, in its order. Bodies are placed and moved.
template <class Space, class OfJoint, class Outside>
std::vector<typename Space::Scalar> read_sensors(const Model& model, const System<Space>& system,
                                                 const Kinematics<Space>& kin,
                                                 const typename Space::Scalar* q,
                                                 const typename Space::Scalar* v,
                                                 const OfJoint& transmitted,
                                                 const Outside& outside) {
  std::vector<typename Space::Scalar> out;
  SensorReader<Space, OfJoint, Outside> reader{model, system, kin, q, v, transmitted, outside, out};
  for (const auto& sensor : model.mechanism().sensors) std::visit(reader, sensor);
  return out;
}

}  // namespace hamiltree
