// An independent oracle: kinetic and potential energy of a System by plain rotations and Jacobians
// in three dimensions, over complex numbers, so that derivatives are taken by complex steps. It
// reads the tables of the System and shares no code with the engine beyond that.
//   H(q, p) = p^T v / 2 + V with v from [M A^T; A 0] [v; -sigma] = [p; 0]
// Joints with one or no degree of freedom only.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::test {

class HamiltonianOracle {
 public:
  using Complex = std::complex<double>;
  using Vector = Eigen::VectorXcd;
  using Matrix = Eigen::MatrixXcd;
  using Vector3 = Eigen::Vector3cd;
  using Matrix3 = Eigen::Matrix3cd;

  static constexpr double kStep = 1e-30;  // of complex steps: exact to rounding

  template <class Space>
  explicit HamiltonianOracle(const System<Space>& system)
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
      JointTable joint{j.type, j.parent,      j.child,       j.reversed, j.v,
                       j.row,  embed(j.X_PF), embed(j.X_CM), j.armature, {}};
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
      stops_.push_back({s.joint, s.side, s.at, s.stiffness, s.damping, s.transition});
    }
    for (const auto& f : system.frictions) {
      frictions_.push_back({f.joint, f.coulomb, f.viscous, f.velocity_scale});
    }
    for (const auto& b : system.bushings) {
      BushingTable table{b.body_a, b.body_b, embed(b.X_a), embed(b.X_b), {}, {}};
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

  Matrix mass_matrix(const Vector& q) const {
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
      if (joint.armature > 0.0) M(joint.v, joint.v) += joint.armature;
    }
    return M;
  }

  // A v = D^T (V_child - V_parent) of the cuts: at the child's joint frame, in its axes.
  Matrix constraint_matrix(const Vector& q) const {
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

  // v, then sigma.
  Vector solve(const Vector& q, const Vector& p) const {
    const Matrix A = constraint_matrix(q);
    Matrix K = Matrix::Zero(velocities_ + constraints_, velocities_ + constraints_);
    K.topLeftCorner(velocities_, velocities_) = mass_matrix(q);
    K.bottomLeftCorner(constraints_, velocities_) = A;
    K.topRightCorner(velocities_, constraints_) = -A.transpose();
    Vector right = Vector::Zero(velocities_ + constraints_);
    right.head(velocities_) = p;
    return K.fullPivLu().solve(right);
  }

  Complex potential(const Vector& q) const {
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
    for (const auto& s : curve_springs_)
      V += s.energy(q(joint(s.joint).v) - s.rest) - s.energy(0.0);
    for (const auto& s : stops_) {
      const Complex x = s.side * (q(joint(s.joint).v) - s.at);
      const double w = s.transition;
      if (x.real() >= w) {
        V += s.stiffness * (0.5 * (x - 0.5 * w) * (x - 0.5 * w) + 0.025 * w * w);
      } else if (x.real() > 0.0) {
        V += s.stiffness * (x * x * x * x / (4.0 * w * w) - x * x * x * x * x / (10.0 * w * w * w));
      }
    }
    for (const auto& b : bushings_) {
      const FrameTable X = between(b, frames);
      for (int i = 0; i < 3; ++i) {
        V += 0.5 * b.stiffness(i) * X.r(i) * X.r(i);
        // 2 k e_i^2 with e the vector part of the unit quaternion
        V += 0.5 * b.stiffness(3 + i) * (1.0 + 2.0 * X.R(i, i) - X.R.trace());
      }
      if (b.angle_stiffness == 0.0) continue;
      const Complex angle = std::acos(0.5 * (X.R.trace() - 1.0));
      V += 0.5 * b.angle_stiffness * angle * angle;
    }
    return V;
  }

  Complex hamiltonian(const Vector& q, const Vector& p) const {
    return 0.5 * product(p, solve(q, p).head(velocities_)) + potential(q);
  }

  // Loads without a potential.
  Eigen::VectorXd other_loads(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    Eigen::VectorXd Q = Eigen::VectorXd::Zero(velocities_);
    for (const auto& s : joint_springs_) Q(joint(s.joint).v) -= s.damping * v(joint(s.joint).v);
    for (const auto& s : curve_springs_) Q(joint(s.joint).v) -= s.damping * v(joint(s.joint).v);
    for (const auto& a : actuators_) {
      Q(joint(a.joint).v) += a.effort(t).value;
    }
    for (const auto& s : point_springs_) {
      const Eigen::VectorXd slope =
          gradient(q, [&](const Vector& x) { return length(s, place(x)); });
      Q -= s.damping * slope.dot(v) * slope;
    }
    for (const auto& s : rope_servos_) {
      const Eigen::VectorXd slope =
          gradient(q, [&](const Vector& x) { return length(s.rope, place(x)); });
      const double x = length(s.rope, place(q.cast<Complex>())).real();
      const double effort =
          s.effort(t).value - s.rope.stiffness * x - s.rope.damping * slope.dot(v);
      Q += std::clamp(effort, s.lower, s.upper) * slope;
    }
    for (const auto& s : stops_) {
      const double x = s.side * (q(joint(s.joint).v) - s.at);
      if (x <= 0.0) continue;
      const double w = s.transition;
      const double u = std::min(x / w, 1.0);
      const double push =
          s.stiffness *
          (x < w ? x * x * x / (w * w) - x * x * x * x / (2.0 * w * w * w) : x - w / 2);
      const double brake = s.damping * u * u * (3.0 - 2.0 * u) * s.side * v(joint(s.joint).v);
      const double all = brake >= 0.0 ? push + brake : push * push / (push - brake);
      Q(joint(s.joint).v) -= s.side * (all - push);
    }
    for (const auto& f : frictions_) {
      const double rate = v(joint(f.joint).v);
      const double e = std::exp(2.0 * rate / f.velocity_scale);
      Q(joint(f.joint).v) -= f.coulomb * (e - 1.0) / (e + 1.0) + f.viscous * rate;
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

  // df/dx by complex steps.
  template <class F>
  static Eigen::VectorXd gradient(const Eigen::VectorXd& x, const F& f) {
    Eigen::VectorXd slope(x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      Vector stepped = x.cast<Complex>();
      stepped(k) += Complex(0.0, kStep);
      slope(k) = f(stepped).imag() / kStep;
    }
    return slope;
  }

 private:
  struct FrameTable {
    Matrix3 R = Matrix3::Identity();
    Vector3 r = Vector3::Zero();
    FrameTable operator*(const FrameTable& other) const { return {R * other.R, r + R * other.r}; }
    FrameTable inverse() const { return {R.transpose(), -(R.transpose() * r)}; }
  };
  struct BodyTable {
    double mass;
    Vector3 com;
    Matrix3 J;
  };
  struct JointTable {
    JointType type;
    int parent, child;
    bool reversed;  // the tree runs from the child to the parent
    int v, row;
    FrameTable X_PF, X_CM;
    double armature;
    std::vector<int> constrained;
  };
  struct JointSpringTable {
    int joint;
    double stiffness, rest, damping;
  };
  // Each piece and the two straight ends as polynomials c0 + c1 u + ... in u from its start, of
  // which the energy adds up whole integrals until it comes to the one that x is on.
  struct CurveSpringTable {
    int joint;
    std::vector<CurvePiece> pieces;
    double scale, rest, damping;

    Complex energy(const Complex& x) const {
      const auto integral = [](const CurvePiece& c, const Complex& u) {
        return c.value * u + c.slope * u * u / 2.0 + c.c2 * u * u * u / 3.0 +
               c.c3 * u * u * u * u / 4.0;
      };
      const auto& first = pieces.front();
      if (x.real() < first.start) {
        return scale * integral({0.0, 0.0, first.value, first.slope}, x - first.start);
      }
      Complex sum = 0.0;
      for (const auto& piece : pieces) {
        const Complex u = x - piece.start;
        if (u.real() <= piece.length) return scale * (sum + integral(piece, u));
        sum += integral(piece, piece.length);
      }
      const auto& last = pieces.back();
      const double h = last.length;
      const CurvePiece end{0.0, 0.0,
                           last.value + last.slope * h + last.c2 * h * h + last.c3 * h * h * h,
                           last.slope + 2.0 * last.c2 * h + 3.0 * last.c3 * h * h};
      return scale * (sum + integral(end, x - last.start - h));
    }
  };
  struct RopePointTable {
    int body;
    Vector3 x;
    double ratio;
  };
  struct PointSpringTable {
    std::vector<RopePointTable> points;
    double stiffness, rest_length, slack, damping;
  };
  struct RopeServoTable {
    PointSpringTable rope;
    PiecewiseSine effort;
    double lower, upper;
  };
  struct ActuatorTable {
    int joint;
    PiecewiseSine effort;
  };
  struct StopTable {
    int joint;
    double side, at, stiffness, damping, transition;
  };
  struct FrictionTable {
    int joint;
    double coulomb, viscous, velocity_scale;
  };
  struct BushingTable {
    int body_a, body_b;
    FrameTable X_a, X_b;
    Eigen::Matrix<Complex, 6, 1> stiffness, damping;  // linear, then angular
    double angle_stiffness = 0.0;
    Eigen::Vector3d turn_stiffness = Eigen::Vector3d::Zero(), rest_turn = Eigen::Vector3d::Zero();
  };
  struct WrenchTable {
    int body;
    FrameTable X;
    bool turns;
    std::array<PiecewiseSine, 3> force, moment;
  };

  // Without conjugation, which complex steps do not survive.
  template <class A, class B>
  static Complex product(const A& a, const B& b) {
    return (a.transpose() * b)(0, 0);
  }

  template <class Space>
  static Vector3 embed(const typename Space::Position& x) {
    Vector3 y = Vector3::Zero();
    y.template head<Space::kLinear>() = x.template cast<Complex>();
    return y;
  }
  template <class Space>
  static Vector3 embed_angular(const typename Space::Angular& x) {
    Vector3 y = Vector3::Zero();
    y.template tail<Space::kAngular>() = x.template cast<Complex>();
    return y;
  }
  template <class Space>
  static FrameTable embed(const Pose<Space>& X) {
    FrameTable frame;
    frame.R.template topLeftCorner<Space::kLinear, Space::kLinear>() = X.R.template cast<Complex>();
    frame.r = embed<Space>(X.r);
    return frame;
  }

  const JointTable& joint(int j) const { return joints_[static_cast<std::size_t>(j)]; }
  static FrameTable frame(const std::vector<FrameTable>& frames, int body) {
    return body == kNone ? FrameTable{} : frames[static_cast<std::size_t>(body)];
  }
  Vector3 slide_axis() const { return planar_ ? Vector3::UnitX() : Vector3::UnitZ(); }

  // The child's joint frame in the parent's.
  FrameTable joint_frame(const JointTable& joint, const Vector& q) const {
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

  std::vector<FrameTable> place(const Vector& q) const {
    std::vector<FrameTable> frames;
    for (const auto& joint : joints_) {
      if (joint.row != kNone) break;
      const FrameTable X_PC = joint.X_PF * joint_frame(joint, q) * joint.X_CM.inverse();
      frames.push_back(joint.reversed ? frame(frames, joint.child) * X_PC.inverse()
                                      : frame(frames, joint.parent) * X_PC);
    }
    return frames;
  }

  // Velocity of the point of a body that is at x, and angular velocity, world axes.
  void jacobians(const std::vector<FrameTable>& frames, int body, const Vector3& x, Matrix& J_v,
                 Matrix& J_w) const {
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

  // Frame b of a bushing in its frame a.
  static FrameTable between(const BushingTable& b, const std::vector<FrameTable>& frames) {
    return (frame(frames, b.body_a) * b.X_a).inverse() * (frame(frames, b.body_b) * b.X_b);
  }

  Complex length(const PointSpringTable& s, const std::vector<FrameTable>& frames) const {
    Complex sum = 0.0;
    for (std::size_t i = 0; i + 1 < s.points.size(); ++i) {
      const FrameTable A = frame(frames, s.points[i].body);
      const FrameTable B = frame(frames, s.points[i + 1].body);
      const Vector3 line = B.r + B.R * s.points[i + 1].x - A.r - A.R * s.points[i].x;
      sum += s.points[i].ratio * std::sqrt(product(line, line));
    }
    return sum;
  }

  bool planar_;
  int velocities_, constraints_;
  Vector3 gravity_;
  std::vector<BodyTable> bodies_;
  std::vector<JointTable> joints_;
  std::vector<JointSpringTable> joint_springs_;
  std::vector<PointSpringTable> point_springs_;
  std::vector<RopeServoTable> rope_servos_;
  std::vector<ActuatorTable> actuators_;
  std::vector<CurveSpringTable> curve_springs_;
  std::vector<StopTable> stops_;
  std::vector<FrictionTable> frictions_;
  std::vector<BushingTable> bushings_;
  std::vector<WrenchTable> wrenches_;
};

}  // namespace hamiltree::test
