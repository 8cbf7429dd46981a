// An independent oracle: kinetic and potential energy of a System by plain rotations and Jacobians
// in three dimensions, over complex numbers, so that derivatives are taken by complex steps. It
// reads the tables of the System and shares no code with the engine beyond that.
//   H(q, p) = p^T v / 2 + V with v from [M A^T; A 0] [v; -sigma] = [p; 0]
// Joints with one or no degree of freedom only.
#pragma once

#include <Eigen/Core>
#include <array>
#include <complex>
#include <cstddef>
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
  explicit HamiltonianOracle(const System<Space>& system);

  Matrix mass_matrix(const Vector& q) const;

  // A v = D^T (V_child - V_parent) of the cuts: at the child's joint frame, in its axes.
  Matrix constraint_matrix(const Vector& q) const;

  // v, then sigma.
  Vector solve(const Vector& q, const Vector& p) const;

  Complex potential(const Vector& q) const;

  Complex hamiltonian(const Vector& q, const Vector& p) const;

  // Loads without a potential.
  Eigen::VectorXd other_loads(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;

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
    int velocities;
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
  struct TwoFramesTable {
    int body_a, body_b;
    FrameTable X_a, X_b;
  };
  struct BallStopTable : TwoFramesTable {
    double at, stiffness, damping, transition;
  };
  struct BodyFrictionTable : TwoFramesTable {
    bool slides;
    double coulomb, viscous, velocity_scale;
  };
  struct BushingTable : TwoFramesTable {
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
  FrameTable joint_frame(const JointTable& joint, const Vector& q) const;

  std::vector<FrameTable> place(const Vector& q) const;

  // Velocity of the point of a body that is at x, and angular velocity, world axes.
  void jacobians(const std::vector<FrameTable>& frames, int body, const Vector3& x, Matrix& J_v,
                 Matrix& J_w) const;

  // Frame b in frame a.
  static FrameTable between(const TwoFramesTable& b, const std::vector<FrameTable>& frames);

  // By how much a ball has turned, and how far it has gone into its stop.
  static Complex angle(const TwoFramesTable& ball, const std::vector<FrameTable>& frames);
  static Complex stored(double stiffness, double transition, const Complex& x);
  // What damping adds to the push of a stop, x in.
  static double braking(double stiffness, double damping, double transition, double x, double xdot);

  Complex length(const PointSpringTable& s, const std::vector<FrameTable>& frames) const;

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
  std::vector<BallStopTable> ball_stops_;
  std::vector<FrictionTable> frictions_;
  std::vector<BodyFrictionTable> body_frictions_;
  std::vector<BushingTable> bushings_;
  std::vector<WrenchTable> wrenches_;
};

}  // namespace hamiltree::test
