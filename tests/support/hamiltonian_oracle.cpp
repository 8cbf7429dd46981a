#include "support/hamiltonian_oracle.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "hamiltree/base/index.hpp"

namespace hamiltree::test {

template <class Space>
HamiltonianOracle::HamiltonianOracle(const System<Space>& system)
    : planar_(Space::kIsPlanar),
      velocities_(system.velocities),
      constraints_(system.constraints),
      gravity_(embed<Space>(system.gravity)) {
  for (const auto& body : system.bodies) {
    Matrix3 J = Matrix3::Zero();
    J.template bottomRightCorner<Space::kAngular, Space::kAngular>() =
        body.J_com.template cast<Complex>();
    bodies_.push_back({body.mass, embed<Space>(body.com), J});
  }
  for (const auto& j : system.joints) {
    JointTable joint{j.type,        j.parent,      j.child,    j.reversed,   j.v, j.row,
                     embed(j.X_PF), embed(j.X_CM), j.armature, j.velocities, {}};
    for (int i = 0; i < j.constraints; ++i) {
      // Components 0-2 linear, 3-5 angular; in the plane x, y and the turn about z.
      const int c = j.constrained[static_cast<std::size_t>(i)];
      joint.constrained.push_back(Space::kIsPlanar && c == 2 ? 5 : c);
    }
    joints_.push_back(joint);
  }
  for (const auto& s : system.joint_springs) {
    joint_springs_.push_back({s.joint, s.stiffness, s.rest, s.damping});
  }
  for (const auto& s : system.point_springs) {
    PointSpringTable table{{}, s.stiffness, s.rest_length, s.slack.value_or(0.0), s.damping};
    for (const auto& point : s.path) {
      table.points.push_back({point.body, embed<Space>(point.x), point.ratio});
    }
    point_springs_.push_back(table);
  }
  for (const auto& s : system.rope_servos) {
    PointSpringTable rope{{}, s.law.stiffness, 0.0, 0.0, s.law.damping};
    for (const auto& point : s.path) {
      rope.points.push_back({point.body, embed<Space>(point.x), point.ratio});
    }
    const double infinity = std::numeric_limits<double>::infinity();
    rope_servos_.push_back(
        {rope, s.law.effort, s.law.lower.value_or(-infinity), s.law.upper.value_or(infinity)});
  }
  for (const auto& a : system.actuators) {
    actuators_.push_back({a.joint, a.effort});
  }
  for (const auto& s : system.joint_stops) {
    const auto& law = s.law;
    stops_.push_back({s.joint, law.side, law.at, law.stiffness, law.damping, law.transition});
  }
  for (const auto& f : system.frictions) {
    frictions_.push_back({f.joint, f.coulomb, f.viscous, f.velocity_scale});
  }
  const auto ends = [&](const auto& element) {
    return TwoFramesTable{element.body_a, element.body_b, embed(element.X_a), embed(element.X_b)};
  };
  for (const auto& s : system.ball_stops)
    ball_stops_.push_back({ends(s), s.law.at, s.law.stiffness, s.law.damping, s.law.transition});
  for (const auto& f : system.body_frictions)
    body_frictions_.push_back({ends(f), f.slides, f.coulomb, f.viscous, f.velocity_scale});
  for (const auto& b : system.bushings) {
    BushingTable table{ends(b), {}, {}};
    table.stiffness << embed<Space>(b.stiffness), embed_angular<Space>(b.rotational_stiffness);
    table.damping << embed<Space>(b.damping), embed_angular<Space>(b.rotational_damping);
    table.angle_stiffness = b.angle_stiffness.value_or(0.0);
    table.turn_stiffness = embed_angular<Space>(b.turn_stiffness).real();
    table.rest_turn = embed_angular<Space>(b.rest_turn).real();
    bushings_.push_back(table);
  }
  for (const auto& s : system.curve_springs) {
    curve_springs_.push_back({s.joint, s.pieces, s.scale, s.rest, s.damping});
  }
  for (const auto& w : system.wrenches) {
    WrenchTable table{w.body, embed(w.X), w.turns, {}, {}};
    for (int i = 0; i < Space::kLinear; ++i) table.force[at(i)] = w.force[at(i)];
    for (int i = 0; i < Space::kAngular; ++i) {
      table.moment[at(3 - Space::kAngular + i)] = w.moment[at(i)];
    }
    wrenches_.push_back(table);
  }
}
HamiltonianOracle::Matrix HamiltonianOracle::mass_matrix(const Vector& q) const {
  Matrix M = Matrix::Zero(velocities_, velocities_);
  const auto frames = place(q);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto& body = bodies_[b];
    const Matrix3& R = frames[b].R;
    Matrix J_v, J_w;
    jacobians(frames, static_cast<int>(b), Vector3(frames[b].r + R * body.com), J_v, J_w);
    M += body.mass * J_v.transpose() * J_v + J_w.transpose() * (R * body.J * R.transpose()) * J_w;
  }
  for (const auto& joint : joints_) {
    for (int i = 0; joint.armature > 0.0 && i < joint.velocities; ++i)
      M(joint.v + i, joint.v + i) += joint.armature;
  }
  return M;
}

HamiltonianOracle::Matrix HamiltonianOracle::constraint_matrix(const Vector& q) const {
  Matrix A = Matrix::Zero(constraints_, velocities_);
  const auto frames = place(q);
  for (const auto& joint : joints_) {
    if (joint.row == kNone) continue;
    const FrameTable M = frame(frames, joint.child) * joint.X_CM;
    Matrix J_v, J_w, parent_J_v, parent_J_w;
    jacobians(frames, joint.child, M.r, J_v, J_w);
    jacobians(frames, joint.parent, M.r, parent_J_v, parent_J_w);
    Matrix relative(6, velocities_);
    relative << M.R.transpose() * (J_v - parent_J_v), M.R.transpose() * (J_w - parent_J_w);
    for (std::size_t i = 0; i < joint.constrained.size(); ++i) {
      A.row(joint.row + static_cast<int>(i)) = relative.row(joint.constrained[i]);
    }
  }
  return A;
}

HamiltonianOracle::Vector HamiltonianOracle::solve(const Vector& q, const Vector& p) const {
  const Matrix A = constraint_matrix(q);
  Matrix K = Matrix::Zero(velocities_ + constraints_, velocities_ + constraints_);
  K.topLeftCorner(velocities_, velocities_) = mass_matrix(q);
  K.bottomLeftCorner(constraints_, velocities_) = A;
  K.topRightCorner(velocities_, constraints_) = -A.transpose();
  Vector right = Vector::Zero(velocities_ + constraints_);
  right.head(velocities_) = p;
  return K.fullPivLu().solve(right);
}

HamiltonianOracle::Complex HamiltonianOracle::potential(const Vector& q) const {
  const auto frames = place(q);
  Complex V = 0.0;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vector3 com = frames[b].r + frames[b].R * bodies_[b].com;
    V -= bodies_[b].mass * product(gravity_, com);
  }
  for (const auto& s : joint_springs_) {
    const Complex chain_block = q(joint(s.joint).v) - s.rest;
    V += 0.5 * s.stiffness * chain_block * chain_block;
  }
  for (const auto& s : point_springs_) {
    const Complex stretch = length(s, frames) - s.rest_length;
    const Complex below = stretch + s.slack;
    if (stretch.real() > 0.0) V += 0.5 * s.stiffness * stretch * stretch;
    if (below.real() < 0.0) V += 0.5 * s.stiffness * below * below;
  }
  for (const auto& s : curve_springs_) V += s.energy(q(joint(s.joint).v) - s.rest) - s.energy(0.0);
  for (const auto& s : stops_) {
    V += stored(s.stiffness, s.transition, s.side * (q(joint(s.joint).v) - s.at));
  }
  for (const auto& s : ball_stops_) V += stored(s.stiffness, s.transition, angle(s, frames) - s.at);
  for (const auto& b : bushings_) {
    const FrameTable X = between(b, frames);
    for (int i = 0; i < 3; ++i) {
      V += 0.5 * b.stiffness(i) * X.r(i) * X.r(i);
      // 2 k e_i^2 with e the vector part of the unit quaternion
      V += 0.5 * b.stiffness(3 + i) * (1.0 + 2.0 * X.R(i, i) - X.R.trace());
    }
    if (b.angle_stiffness == 0.0) continue;
    const Complex turn = angle(b, frames);
    V += 0.5 * b.angle_stiffness * turn * turn;
  }
  return V;
}

HamiltonianOracle::Complex HamiltonianOracle::hamiltonian(const Vector& q, const Vector& p) const {
  return 0.5 * product(p, solve(q, p).head(velocities_)) + potential(q);
}

Eigen::VectorXd HamiltonianOracle::other_loads(double t, const Eigen::VectorXd& q,
                                               const Eigen::VectorXd& v) const {
  Eigen::VectorXd Q = Eigen::VectorXd::Zero(velocities_);
  for (const auto& s : joint_springs_) Q(joint(s.joint).v) -= s.damping * v(joint(s.joint).v);
  for (const auto& s : curve_springs_) Q(joint(s.joint).v) -= s.damping * v(joint(s.joint).v);
  for (const auto& a : actuators_) {
    Q(joint(a.joint).v) += a.effort(t).value;
  }
  for (const auto& s : point_springs_) {
    const Eigen::VectorXd slope = gradient(q, [&](const Vector& x) { return length(s, place(x)); });
    Q -= s.damping * slope.dot(v) * slope;
  }
  for (const auto& s : rope_servos_) {
    const Eigen::VectorXd slope =
        gradient(q, [&](const Vector& x) { return length(s.rope, place(x)); });
    const double x = length(s.rope, place(q.cast<Complex>())).real();
    const double effort = s.effort(t).value - s.rope.stiffness * x - s.rope.damping * slope.dot(v);
    Q += std::clamp(effort, s.lower, s.upper) * slope;
  }
  for (const auto& s : stops_) {
    const double x = s.side * (q(joint(s.joint).v) - s.at);
    const double xdot = s.side * v(joint(s.joint).v);
    Q(joint(s.joint).v) -= s.side * braking(s.stiffness, s.damping, s.transition, x, xdot);
  }
  for (const auto& s : ball_stops_) {
    const double x = angle(s, place(q.cast<Complex>())).real() - s.at;
    const Eigen::VectorXd slope = gradient(q, [&](const Vector& y) { return angle(s, place(y)); });
    Q -= braking(s.stiffness, s.damping, s.transition, x, slope.dot(v)) * slope;
  }
  const auto friction = [](const auto& f, double rate) {
    const double e = std::exp(2.0 * rate / f.velocity_scale);
    return f.coulomb * (e - 1.0) / (e + 1.0) + f.viscous * rate;
  };
  for (const auto& f : frictions_) Q(joint(f.joint).v) -= friction(f, v(joint(f.joint).v));
  for (const auto& f : body_frictions_) {
    // d(angle about axis i of b)/dq from the off-diagonal part of R^T dR.
    const Matrix3 R = between(f, place(q.cast<Complex>())).R;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Eigen::VectorXd turn = gradient(
          q, [&](const Vector& x) { return (R.transpose() * between(f, place(x)).R)(k, j); });
      Q -= friction(f, turn.dot(v)) * turn;
      if (!f.slides) continue;
      const Eigen::VectorXd slip =
          gradient(q, [&](const Vector& x) { return between(f, place(x)).r(i); });
      Q -= friction(f, slip.dot(v)) * slip;
    }
  }
  for (const auto& b : bushings_) {
    for (int i = 0; i < 3; ++i) {
      const Eigen::VectorXd slope =
          gradient(q, [&](const Vector& x) { return between(b, place(x)).r(i); });
      Q -= b.damping(i).real() * slope.dot(v) * slope;
    }
    // d(angle about axis i of a)/dq from the off-diagonal part of dR R^T.
    const Matrix3 R = between(b, place(q.cast<Complex>())).R;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const int k = (i + 2) % 3;
      const Eigen::VectorXd turn = gradient(
          q, [&](const Vector& x) { return (between(b, place(x)).R * R.transpose())(k, j); });
      Q -= b.damping(3 + i).real() * turn.dot(v) * turn;
      const Eigen::AngleAxisd whole(Eigen::Matrix3d(R.real()));
      const double angle = whole.angle() * whole.axis()(i);
      Q -= b.turn_stiffness(i) * (angle - b.rest_turn(i)) * turn;
    }
  }
  const auto frames = place(q.cast<Complex>());
  for (const auto& w : wrenches_) {
    const FrameTable X = frame(frames, w.body) * w.X;
    Vector3 f, m;
    for (int i = 0; i < 3; ++i) {
      f(i) = w.force[at(i)](t).value;
      m(i) = w.moment[at(i)](t).value;
    }
    if (w.turns) {
      f = X.R * f;
      m = X.R * m;
    }
    Matrix J_v, J_w;
    jacobians(frames, w.body, X.r, J_v, J_w);
    Q += (J_v.transpose() * f + J_w.transpose() * m).real();
  }
  return Q;
}

HamiltonianOracle::FrameTable HamiltonianOracle::joint_frame(const JointTable& joint,
                                                             const Vector& q) const {
  FrameTable X;
  if (joint.type == JointType::kRevolute) {
    const Complex c = std::cos(q(joint.v));
    const Complex s = std::sin(q(joint.v));
    X.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  } else if (joint.type == JointType::kPrismatic) {
    X.r = q(joint.v) * slide_axis();
  }
  return X;
}

auto HamiltonianOracle::place(const Vector& q) const -> std::vector<FrameTable> {
  std::vector<FrameTable> frames;
  for (const auto& joint : joints_) {
    if (joint.row != kNone) break;
    const FrameTable X_PC = joint.X_PF * joint_frame(joint, q) * joint.X_CM.inverse();
    frames.push_back(joint.reversed ? frame(frames, joint.child) * X_PC.inverse()
                                    : frame(frames, joint.parent) * X_PC);
  }
  return frames;
}

void HamiltonianOracle::jacobians(const std::vector<FrameTable>& frames, int body, const Vector3& x,
                                  Matrix& J_v, Matrix& J_w) const {
  J_v = Matrix::Zero(3, velocities_);
  J_w = Matrix::Zero(3, velocities_);
  for (int b = body; b != kNone; b = joint(b).reversed ? joint(b).child : joint(b).parent) {
    const FrameTable X = frame(frames, joint(b).child) * joint(b).X_CM;
    const double outward = joint(b).reversed ? -1.0 : 1.0;
    if (joint(b).type == JointType::kRevolute) {
      const Vector3 axis = outward * X.R.col(2);
      const Vector3 arm = x - X.r;
      J_w.col(joint(b).v) = axis;
      J_v.col(joint(b).v) << axis(1) * arm(2) - axis(2) * arm(1),
          axis(2) * arm(0) - axis(0) * arm(2), axis(0) * arm(1) - axis(1) * arm(0);
    } else if (joint(b).type == JointType::kPrismatic) {
      J_v.col(joint(b).v) = outward * (X.R * slide_axis());
    }
  }
}

HamiltonianOracle::FrameTable HamiltonianOracle::between(const TwoFramesTable& b,
                                                         const std::vector<FrameTable>& frames) {
  return (frame(frames, b.body_a) * b.X_a).inverse() * (frame(frames, b.body_b) * b.X_b);
}

HamiltonianOracle::Complex HamiltonianOracle::angle(const TwoFramesTable& ball,
                                                    const std::vector<FrameTable>& frames) {
  return std::acos(0.5 * (between(ball, frames).R.trace() - 1.0));
}

HamiltonianOracle::Complex HamiltonianOracle::stored(double stiffness, double w, const Complex& x) {
  if (x.real() >= w) return stiffness * (0.5 * (x - 0.5 * w) * (x - 0.5 * w) + 0.025 * w * w);
  if (x.real() <= 0.0) return 0.0;
  return stiffness * (x * x * x * x / (4.0 * w * w) - x * x * x * x * x / (10.0 * w * w * w));
}

double HamiltonianOracle::braking(double stiffness, double damping, double w, double x,
                                  double xdot) {
  if (x <= 0.0) return 0.0;
  const double u = std::min(x / w, 1.0);
  const double push =
      stiffness * (x < w ? x * x * x / (w * w) - x * x * x * x / (2.0 * w * w * w) : x - w / 2);
  const double brake = damping * u * u * (3.0 - 2.0 * u) * xdot;
  return (brake >= 0.0 ? push + brake : push * push / (push - brake)) - push;
}

HamiltonianOracle::Complex HamiltonianOracle::length(const PointSpringTable& s,
                                                     const std::vector<FrameTable>& frames) const {
  Complex sum = 0.0;
  for (std::size_t i = 0; i + 1 < s.points.size(); ++i) {
    const FrameTable A = frame(frames, s.points[i].body);
    const FrameTable B = frame(frames, s.points[i + 1].body);
    const Vector3 line = B.r + B.R * s.points[i + 1].x - A.r - A.R * s.points[i].x;
    sum += s.points[i].ratio * std::sqrt(product(line, line));
  }
  return sum;
}

template HamiltonianOracle::HamiltonianOracle(const System<Planar<double>>&);
template HamiltonianOracle::HamiltonianOracle(const System<Spatial<double>>&);

}  // namespace hamiltree::test
