// A leg that is stretched, or nearly so, cannot close its rows while the body at its end stands
// still. That is a pose of the leg alone: the mechanism moves through it, and rates keep their
// digits.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <span>
#include <string>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/closed_state.hpp"

namespace hamiltree::test {
namespace {

// An arm on three pins holds, by a ball at its end, a point of a body that balls and pins carry.
class ArmAndLoad {
 public:
  Mechanism mechanism() {
    m_.name = "arm and load";
    m_.space = SpaceKind::kSpatial;
    m_.gravity = {0.0, 0.0, -9.81};
    const Eigen::Vector3d y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ(),
                          none = Eigen::Vector3d::Zero();
    add("yaw", 1.0, "turn", kGround, none, z, 0.0);
    add("upper", 2.0, "shoulder", "yaw", none, y, -0.3);
    add("lower", 1.5, "elbow", "upper", {0.5, 0.0, 0.0}, y, 0.5);
    add("beam", 4.0, "base", kGround, {-0.3, 0.4, 0.2});
    add("load", 5.0, "wrist", "beam", {1.1, 0.0, 0.0});
    add("tool", 0.5, "grip", "load", {0.0, 0.3, 0.0}, z, 0.0);
    add("finger", 0.5, "bend", "tool", {0.0, 0.3, 0.0}, Eigen::Vector3d::UnitX(), 0.0);
    JointDescription tip;
    tip.name = "tip";
    tip.type = JointType::kSpherical;
    tip.parent = "lower";
    tip.child = "load";
    tip.at_parent.position = {0.4, 0.0, 0.0};
    tip.at_child.position = {0.1, -0.4, 0.1};
    tip.cut = true;
    m_.add(tip);
    return m_;
  }

 private:
  // On a ball.
  JointDescription& add(const std::string& body, double mass, const std::string& name,
                        const std::string& parent, const Eigen::Vector3d& at) {
    BodyDescription b;
    b.name = body;
    b.mass = mass;
    b.com = {0.2, 0.0, 0.05};
    b.inertia = mass * Eigen::Vector3d(0.01, 0.03, 0.03).asDiagonal().toDenseMatrix();
    m_.add(b);
    JointDescription joint;
    joint.name = name;
    joint.type = JointType::kSpherical;
    joint.parent = parent;
    joint.child = body;
    joint.at_parent.position = at;
    m_.add(joint);
    return m_.joints.back();
  }
  // On a pin.
  void add(const std::string& body, double mass, const std::string& name, const std::string& parent,
           const Eigen::Vector3d& at, const Eigen::Vector3d& axis, double guess) {
    auto& joint = add(body, mass, name, parent, at);
    joint.type = JointType::kRevolute;
    const Eigen::Matrix3d turned =
        Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis).toRotationMatrix();
    joint.at_parent.rotation = joint.at_child.rotation = turned;
    joint.guess_q = Eigen::VectorXd::Constant(1, guess);
  }

  Mechanism m_;
};

double relative_error(std::span<const double> x, std::span<const double> exact) {
  const auto size = static_cast<Eigen::Index>(exact.size());
  const Eigen::Map<const Eigen::VectorXd> one(x.data(), size), other(exact.data(), size);
  return (one - other).norm() / other.norm();
}

TEST(StretchedLeg, KeepsTheDigitsOfRates) {
  const Model model(ArmAndLoad().mechanism());
  const auto start = initial_state(model);
  const auto number = [](double x) { return Eigen::VectorXd::Constant(1, x); };
  const auto dense = make_formulation("dense", model);
  const auto exact = dense->make_workspace();
  for (const char* name : {"recursive", "hdca", "dca", "aba"}) {
    const auto formulation = make_formulation(name, model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace);
    for (double bent = 0.1; bent > 1e-6; bent /= 1.5) {
      SCOPED_TRACE(std::string(name) + ", bent by " + std::to_string(bent));
      const auto state = closed_state(
          model, 0.0, start.q,
          {{{"elbow", number(bent)}},
           {{"elbow", number(1.0)}, {"turn", number(0.5)}, {"shoulder", number(-0.3)}}});
      ASSERT_EQ(dense->rate({0.0, state.q.data(), state.p.data()}, *exact), Status::kOk);
      const bool has_momenta = formulation->form() == StateForm::kMomenta;
      const auto& u = has_momenta ? state.p : state.v;
      ASSERT_EQ(formulation->rate({0.0, state.q.data(), u.data()}, *workspace), Status::kOk);
      EXPECT_LT(relative_error(workspace->q_dot, exact->q_dot), 1e-9);
      if (has_momenta) {
        EXPECT_LT(relative_error(workspace->u_dot, exact->u_dot), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
