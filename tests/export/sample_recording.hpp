// Synthetic recordings for the exporters: positions by kinematics, energies and residuals made up.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::test {

inline Summary sample_summary(const std::string& name, const std::string& space) {
  Summary summary;
  summary.model = {.name = name,
                   .file = "mechanisms/sample/model.toml",
                   .space = space,
                   .bodies = 2,
                   .joints = 2,
                   .degrees_of_freedom = 2,
                   .length = 1.0};
  summary.formulation = "hdca";
  summary.integrator = {
      .name = "dormand_prince", .changes = {}, .rtol = 1e-9, .atol = 1e-10, .weights = "inertia"};
  summary.plan = "balanced, 2 leaves, 1 join, depth 1";
  summary.until = summary.reached = 10.0;
  summary.steps = 12345;
  summary.rejected_steps = 17;
  summary.rate_evaluations = 86421;
  summary.velocity_solves = 24690;
  summary.wall_seconds = 0.1234;
  summary.energy = {
      .initial = -4.25, .work = {}, .max_relative_error = 3.1e-10, .conservative = true};
  return summary;
}

inline BodyPose planar_pose(double x, double y, double angle) {
  return {{x, y, 0.0}, {std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)}};
}

// Two links of 1 m, com in the middle, angles from the downward vertical.
inline Recording double_pendulum(int samples = 1001) {
  const double g = 9.80665;
  Recording recording;
  recording.begin({.model = "double_pendulum",
                   .planar = true,
                   .gravity = {0.0, -g, 0.0},
                   .length = 1.0,
                   .q = {{"q.shoulder", "rad"}, {"q.elbow", "rad"}},
                   .v = {{"v.shoulder", "rad/s"}, {"v.elbow", "rad/s"}},
                   .p = {{"p.shoulder", "kg m^2/s"}, {"p.elbow", "kg m^2/s"}},
                   .outside_q = {},
                   .outside_v = {},
                   .sensors = {{"tip.position.x", "m"}, {"tip.position.y", "m"}},
                   .bodies = {{"upper", {{0, 0, 0}, {0, -1, 0}}, {0, -0.5, 0}},
                              {"lower", {{0, 0, 0}}, {0, -0.5, 0}}},
                   .ground_handles = {{0, 0, 0}}});
  for (int k = 0; k < samples; ++k) {
    Sample s;
    s.t = 10.0 * k / std::max(samples - 1, 1);
    const double a = 1.2 * std::cos(2.4 * s.t), b = 0.9 * std::cos(5.1 * s.t) - 0.4 * a;
    const double da = -2.88 * std::sin(2.4 * s.t), db = -4.59 * std::sin(5.1 * s.t) - 0.4 * da;
    const Eigen::Vector2d elbow{std::sin(a), -std::cos(a)};
    const Eigen::Vector2d tip = elbow + Eigen::Vector2d{std::sin(a + b), -std::cos(a + b)};
    s.q = Eigen::Vector2d{a, b};
    s.v = Eigen::Vector2d{da, db};
    s.p = Eigen::Vector2d{1.6 * da + 0.5 * db, 0.5 * da + db / 3.0};
    s.potential_energy = g * (0.5 * elbow.y() + 0.5 * (elbow + tip).y());
    s.kinetic_energy = 6.0 - s.potential_energy + 1e-9 * s.t * std::sin(3.0 * s.t);
    s.sensors = tip;
    s.poses = {planar_pose(0, 0, a), planar_pose(elbow.x(), elbow.y(), a + b)};
    recording.sample(s);
  }
  recording.finish(sample_summary("double_pendulum", "planar"));
  return recording;
}

// Over within a nanosecond.
inline Recording brief() {
  Recording recording = double_pendulum();
  for (auto& sample : recording.samples) sample.t *= 1e-10;
  return recording;
}

// The same wherever it is, but for the sensors.
inline Recording far_away(double x) {
  Recording recording = double_pendulum();
  recording.header.sensors.clear();
  recording.header.ground_handles[0].x() += x;
  for (auto& sample : recording.samples) {
    sample.sensors.resize(0);
    for (auto& pose : sample.poses) pose.position.x() += x;
  }
  return recording;
}

// A body whose joints meet in one point, from which its centre of mass is farther than all else.
inline Recording crossed() {
  Recording recording = double_pendulum();
  recording.header.bodies[0].handles = {{0, 0, 0}, {0, 0, 0}};
  recording.header.bodies[0].com = {0, -4, 0};
  return recording;
}

// Where circles around `a` and `b` meet, left of the line from a to b.
inline Eigen::Vector2d meet(const Eigen::Vector2d& a, double ra, const Eigen::Vector2d& b,
                            double rb) {
  const Eigen::Vector2d ab = b - a;
  const double d = ab.norm(), along = (d * d + ra * ra - rb * rb) / (2 * d);
  const Eigen::Vector2d e = ab / d;
  return a + along * e + std::sqrt(ra * ra - along * along) * Eigen::Vector2d{-e.y(), e.x()};
}

// A crank-rocker whose coupler is a triangle: a closed loop, with residuals.
inline Recording four_bar() {
  Recording recording;
  recording.begin({.model = "four_bar",
                   .planar = true,
                   .gravity = {0.0, -9.80665, 0.0},
                   .length = 0.4,
                   .q = {{"q.A", "rad"}, {"q.B", "rad"}, {"q.D", "rad"}},
                   .v = {{"v.A", "rad/s"}, {"v.B", "rad/s"}, {"v.D", "rad/s"}},
                   .p = {{"p.A", "kg m^2/s"}, {"p.B", "kg m^2/s"}, {"p.D", "kg m^2/s"}},
                   .outside_q = {},
                   .outside_v = {},
                   .sensors = {{"tracer.position.x", "m"}, {"tracer.position.y", "m"}},
                   .bodies = {{"crank", {{0, 0, 0}, {0.15, 0, 0}}, {0.075, 0, 0}},
                              {"coupler", {{0, 0, 0}, {0.4, 0, 0}, {0.2, 0.16, 0}}, {0.2, 0.06, 0}},
                              {"rocker", {{0, 0, 0}, {0.3, 0, 0}}, {0.15, 0, 0}}},
                   .ground_handles = {{0, 0, 0}, {0.4, 0, 0}}});
  const Eigen::Vector2d a{0, 0}, d{0.4, 0};
  for (int k = 0; k <= 500; ++k) {
    Sample s;
    s.t = 0.01 * k;
    const double phi = 2.0 * s.t + 0.3 * std::sin(2.0 * s.t);
    const Eigen::Vector2d b = 0.15 * Eigen::Vector2d{std::cos(phi), std::sin(phi)};
    const Eigen::Vector2d c = meet(b, 0.4, d, 0.3);
    const double coupler = std::atan2(c.y() - b.y(), c.x() - b.x());
    const double rocker = std::atan2(c.y() - d.y(), c.x() - d.x());
    s.q = Eigen::Vector3d{phi, coupler - phi, rocker};
    s.v = Eigen::Vector3d{2.0, 0.6 * std::cos(2.0 * s.t), std::sin(phi)};
    s.p = 0.01 * s.v;
    s.kinetic_energy = 0.4 + 0.2 * std::sin(phi);
    s.potential_energy = 1.0 - 0.2 * std::sin(phi);
    s.position_residual = k % 7 == 0 ? 0.0 : 1e-16 * (2 + std::sin(40.0 * s.t));
    s.velocity_residual = 4e-15 * (1.5 + std::sin(31.0 * s.t));
    const Eigen::Vector2d tracer = b + Eigen::Rotation2Dd(coupler) * Eigen::Vector2d{0.2, 0.16};
    s.sensors = tracer;
    s.poses = {planar_pose(0, 0, phi), planar_pose(b.x(), b.y(), coupler),
               planar_pose(d.x(), d.y(), rocker)};
    recording.sample(s);
  }
  Summary summary = sample_summary("four_bar", "planar");
  summary.model.bodies = 3;
  summary.model.joints = 4;
  summary.model.loops = 1;
  summary.model.degrees_of_freedom = 1;
  summary.constraint = {.position_max = 3e-16,
                        .velocity_max = 1e-14,
                        .position_max_before = 4e-12,
                        .velocity_max_before = 8e-11};
  summary.notes = {"near-singular at joint C, t = 0.71 s"};
  recording.finish(summary);
  return recording;
}

// A serial arm of `links` bodies with skew axes, z up; its first body floats with a quaternion.
inline Recording spatial_arm(int links = 15, int samples = 301) {
  Recording recording;
  RecordingHeader header;
  header.model = "spatial_arm";
  header.gravity = {0.0, 0.0, -9.80665};
  for (int i = 0; i < links; ++i) {
    const std::string joint = "joint_" + std::to_string(i + 1);
    header.q.push_back({"q." + joint, "rad"});
    header.v.push_back({"v." + joint, "rad/s"});
    header.p.push_back({"p." + joint, "kg m^2/s"});
    header.bodies.push_back(
        {"link_" + std::to_string(i + 1), {{0, 0, 0}, {0.5, 0, 0}}, {0.25, 0, 0.02}});
  }
  header.bodies.back().handles.pop_back();
  header.q.push_back({"q.base.quat_w", ""});
  header.v.push_back({"v.base.x", "m/s"});
  header.p.push_back({"p.base.x", "kg m/s"});
  header.ground_handles = {{0, 0, 0}};
  recording.begin(header);
  for (int k = 0; k < samples; ++k) {
    Sample s;
    s.t = 0.02 * k;
    s.q = s.v = s.p = Eigen::VectorXd::Zero(links + 1);
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    for (int i = 0; i < links; ++i) {
      const double angle = 0.5 * std::sin((1.0 + 0.07 * i) * s.t + i);
      s.q[i] = angle;
      s.v[i] = 0.5 * (1.0 + 0.07 * i) * std::cos((1.0 + 0.07 * i) * s.t + i);
      s.p[i] = 0.1 * s.v[i];
      const Eigen::Vector3d axis =
          i % 2 == 0 ? Eigen::Vector3d{0.0, 0.6, 0.8} : Eigen::Vector3d{0.3, 1.0, 0.0}.normalized();
      turn = turn * Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
      s.poses.push_back({origin, {turn.w(), turn.x(), turn.y(), turn.z()}});
      origin += turn * Eigen::Vector3d{0.5, 0.0, 0.0};
    }
    s.q[links] = std::cos(s.t);
    s.kinetic_energy = 1.0 + std::sin(s.t);
    s.potential_energy = 3.0 - std::sin(s.t) - 0.1 * s.t;
    recording.sample(s);
  }
  Summary summary = sample_summary("spatial_arm", "spatial");
  summary.energy.conservative = false;
  summary.integrator = {};
  summary.integrator.name = "rk4";
  summary.integrator.step = 1e-3;
  summary.model.bodies = summary.model.joints = links;
  summary.status = "failed";
  summary.error = "t = 6.02 s: the step of joint_3 is not a number";
  summary.reached = 6.02;
  recording.finish(summary);
  return recording;
}

inline const std::string kHostileName = "</script><script>throw \"'&name{{data}}\";</script>";

// Every name is an attack on the page, some numbers are not finite.
inline Recording hostile() {
  Recording recording = double_pendulum(50);
  RecordingHeader& header = recording.header;
  header.model = recording.summary.model.name = recording.summary.model.file = kHostileName;
  header.bodies[0].name = header.bodies[1].name = kHostileName;
  for (auto* channels : {&header.q, &header.v, &header.p}) {
    channels->front() = {kHostileName, kHostileName};
  }
  header.sensors = {{kHostileName + ".position.x", "m"}, {kHostileName + ".position.y", "m"}};
  recording.summary.formulation = recording.summary.plan = kHostileName;
  recording.summary.notes = {kHostileName, "bytes that are no UTF-8: \xff\xfe"};
  recording.samples[20].v[0] = std::nan("");
  recording.samples[21].kinetic_energy = std::numeric_limits<double>::infinity();
  recording.samples[22].poses[1].position[0] = std::nan("");
  return recording;
}

}  // namespace hamiltree::test
