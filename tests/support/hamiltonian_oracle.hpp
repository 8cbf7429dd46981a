// An independent oracle: kinetic and potential energy of a System by plain rotations and Jacobians
// in three dimensions, over complex numbers, so that derivatives are taken by complex steps. It
// reads the tables of the System and shares no code with the engine beyond that.
//   H(q, p) = p^T v / 2 + V with v from [M A^T; A 0] [v; -sigma] = [p; 0]
// Joints with one or no degree of freedom only.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <complex>
#include <cstddef>
#include <vector>

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
                       j.row,  embed(j.X_PF), embed(j.X_CM), {}};
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
      point_springs_.push_back({s.body_a, s.body_b, embed<Space>(s.a), embed<Space>(s.b),
                                s.stiffness, s.rest_length, s.damping});
    }
    for (const auto& a : system.actuators) {
      actuators_.push_back({a.joint, a.constant, a.amplitude, a.omega, a.phase});
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
      const Complex stretch = q(joint(s.joint).v) - s.rest;
      V += 0.5 * s.stiffness * stretch * stretch;
    }
    for (const auto& s : point_springs_) {
      const Complex stretch = length(s, frames) - s.rest_length;
      V += 0.5 * s.stiffness * stretch * stretch;
    }
    return V;
  }

  Complex hamiltonian(const Vector& q, const Vector& p) const {
    return 0.5 * product(p, solve(q, p).head(velocities_)) + potential(q);
  }

  // Loads without a potential: dampers and actuators.
  Eigen::VectorXd other_loads(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    Eigen::VectorXd Q = Eigen::VectorXd::Zero(velocities_);
    for (const auto& s : joint_springs_) Q(joint(s.joint).v) -= s.damping * v(joint(s.joint).v);
    for (const auto& a : actuators_) {
      Q(joint(a.joint).v) += a.constant + a.amplitude * std::sin(a.omega * t + a.phase);
    }
    for (const auto& s : point_springs_) {
      const Eigen::VectorXd slope =
          gradient(q, [&](const Vector& x) { return length(s, place(x)); });
      Q -= s.damping * slope.dot(v) * slope;
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
    std::vector<int> constrained;
  };
  struct JointSpringTable {
    int joint;
    double stiffness, rest, damping;
  };
  struct PointSpringTable {
    int body_a, body_b;
    Vector3 a, b;
    double stiffness, rest_length, damping;
  };
  struct ActuatorTable {
    int joint;
    double constant, amplitude, omega, phase;
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

  Complex length(const PointSpringTable& s, const std::vector<FrameTable>& frames) const {
    const FrameTable A = frame(frames, s.body_a);
    const FrameTable B = frame(frames, s.body_b);
    const Vector3 line = B.r + B.R * s.b - A.r - A.R * s.a;
    return std::sqrt(product(line, line));
  }

  bool planar_;
  int velocities_, constraints_;
  Vector3 gravity_;
  std::vector<BodyTable> bodies_;
  std::vector<JointTable> joints_;
  std::vector<JointSpringTable> joint_springs_;
  std::vector<PointSpringTable> point_springs_;
  std::vector<ActuatorTable> actuators_;
};

}  // namespace hamiltree::test
