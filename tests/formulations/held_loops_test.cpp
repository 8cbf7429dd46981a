// Loops that hold every joint in them, bodies without mass among them: no row is redundant, however
// easily the ballast of such bodies moves.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::test {
namespace {

// Two pins through one point carry a body, a third one a second body, of which a point is held.
class HeldArm {
 public:
  HeldArm(unsigned seed, double upper, double lower)
      : random_(seed), upper_(upper), lower_(lower) {}

  Mechanism mechanism() {
    Mechanism m;
    m.name = "held arm";
    m.space = SpaceKind::kSpatial;
    m.gravity = {1.0, 2.0, -9.81};
    m.add(body("cross", 0.0));
    m.add(body("upper", upper_));
    m.add(body("lower", lower_));
    Frame X;
    const auto pin = [&](const char* name, const char* parent, const char* child, Frame at_parent) {
      JointDescription joint;
      joint.name = name;
      joint.parent = parent;
      joint.child = child;
      joint.at_parent = at_parent;
      X = compose(X, at_parent);
      m.add(joint);
    };
    pin("A", kGround, "cross", {anywhere(), turned()});
    pin("B", "cross", "upper", {Eigen::Vector3d::Zero(), turned()});
    pin("C", "upper", "lower", {anywhere(), turned()});
    JointDescription point;
    point.name = "D";
    point.type = JointType::kSpherical;
    point.parent = kGround;
    point.child = "lower";
    point.at_child.position = anywhere();
    point.at_parent.position = apply(X, point.at_child.position);
    point.cut = true;
    m.add(point);
    return m;
  }

 private:
  Eigen::Vector3d anywhere() {
    return Eigen::Vector3d::NullaryExpr([&] { return uniform_(random_); });
  }
  Eigen::Matrix3d turned() {
    return Eigen::AngleAxisd(2.0 * uniform_(random_), anywhere().normalized()).toRotationMatrix();
  }
  BodyDescription body(const char* name, double mass) {
    BodyDescription b;
    b.name = name;
    b.mass = mass;
    if (mass > 0.0) b.com = 0.5 * anywhere();
    b.inertia = mass * Eigen::Vector3d(0.1, 0.11, 0.12).asDiagonal().toDenseMatrix();
    return b;
  }

  std::mt19937 random_;
  double upper_, lower_;  // kg
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

// Where an arm is stretched, or nearly so, rows are next to redundant.
bool is_stretched(const Model& model, const StateView& state) {
  const auto dense = make_formulation("dense", model);
  return dense->analyse(state, *dense->make_workspace()).redundant > 0;
}

void expect_nothing_moves(double upper, double lower) {
  int stretched = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Model model(HeldArm(seed, upper, lower).mechanism());
    const auto start = initial_state(model);
    const StateView state{0.0, start.q.data(), start.p.data()};
    if (is_stretched(model, state)) {
      ++stretched;
      continue;
    }
    for (const char* name : {"dense", "recursive", "aba", "hdca", "dca"}) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      EXPECT_EQ(formulation->analyse(state, *workspace).redundant, 0);
      formulation->prepare(state, *workspace);
      EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
      for (const double v_dot : workspace->v_dot) EXPECT_LT(std::abs(v_dot), 1e-5);
    }
  }
  EXPECT_LE(stretched, 4);
}

TEST(HeldLoops, NothingMovesByAnyFormulation) { expect_nothing_moves(10.0, 1.0); }

// Where ballast moves with a light body, the row that holds the heavy one has a pivot of a
// billionth of the largest.
TEST(HeldLoops, HeavyBodiesBehindLightOnesAreHeldToo) { expect_nothing_moves(0.5, 300.0); }

}  // namespace
}  // namespace hamiltree::test
