// Cables of MJCF against MuJoCo: its accelerations of tests/io/models/cable.xml at one state, as
// MuJoCo 3.3.7 computes them with its plugin of cables; versions from 4 on know no <composite>.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"

namespace hamiltree {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

struct BallState {
  std::string joint;
  Vector4d quat_wxyz;  // of any length
  Vector3d velocity, acceleration;
};

const std::array kBalls{BallState{"helix_J_1",
                                  {1.8, -1.0, 0.2, -0.2},
                                  {0.6, 0.1, 0.7},
                                  {139151.622114114, -89.7246569602103, -92.9755904976313}},
                        BallState{"helix_J_2",
                                  {0.8, -0.1, -0.8, -0.1},
                                  {-2.8, 1.0, -1.0},
                                  {248190.849760546, 30248.0672358061, 131240.365284385}},
                        BallState{"helix_J_3",
                                  {0.7, 1.3, 0.1, -0.1},
                                  {-1.7, 0.3, 0.7},
                                  {-424183.395478549, 10109.9085219867, -91753.9860633501}},
                        BallState{"helix_J_last",
                                  {0.9, -0.3, -0.4, -0.2},
                                  {-0.4, -1.1, 0.0},
                                  {67049.971165031, 138250.035954708, -183304.181023971}},
                        BallState{"strip_J_first",
                                  {1.2, -0.1, 0.4, -0.1},
                                  {-0.1, 1.4, 0.7},
                                  {8658.95635719544, 7.96646432427397, 8.74000646118943}},
                        BallState{"strip_J_1",
                                  {1.0, 0.6, 0.2, -0.2},
                                  {0.2, 1.1, -0.2},
                                  {3879.48731754458, 3834.56276845951, -7715.21764556939}},
                        BallState{"strip_J_2",
                                  {0.9, 0.2, 0.8, -0.1},
                                  {-0.9, 0.6, 0.6},
                                  {-10116.4243150804, -3163.1637423267, -1374.49247906111}},
                        BallState{"strip_J_last",
                                  {0.9, 0.4, -0.4, -0.1},
                                  {-0.2, -0.8, 0.2},
                                  {-2768.41508286882, 4275.70710336713, -5028.6458819853}}};

// Measured 7.6e-12 of the accelerations of a joint, helix_J_2.
TEST(Cable, AcceleratesAsInMuJoCo) {
  const Model model = load(std::filesystem::path(HAMILTREE_TEST_MODELS) / "cable.xml");
  ASSERT_EQ(model.velocity_count(), 25);
  const auto place = [&](const std::string& name) {
    const int j = *model.find_joint(name);
    return model.visit([&](const auto& s) { return std::pair(s.joint(j).q, s.joint(j).v); });
  };
  Eigen::VectorXd q(model.coordinate_count()), v(25), expected(25);
  const auto shoulder = place("shoulder");
  q(shoulder.first) = 0.3;
  v(shoulder.second) = 0.9;
  expected(shoulder.second) = -18.3719151673182;
  for (const auto& ball : kBalls) {
    const auto [at_q, at_v] = place(ball.joint);
    q.segment<4>(at_q) = ball.quat_wxyz.normalized();
    v.segment<3>(at_v) = ball.velocity;
    expected.segment<3>(at_v) = ball.acceleration;
  }
  const auto formulation = make_formulation("aba", model);
  const auto workspace = formulation->make_workspace();
  const StateView state{0.0, q.data(), v.data()};
  formulation->analyse(state, *workspace);
  formulation->prepare(state, *workspace);
  ASSERT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
  const Eigen::Map<const Eigen::VectorXd> v_dot(workspace->v_dot.data(), 25);
  // The two cables share nothing, and move by very different accelerations.
  for (const auto& ball : kBalls) {
    const int at_v = place(ball.joint).second;
    const double difference = (v_dot.segment<3>(at_v) - ball.acceleration).norm();
    EXPECT_LT(difference, 1e-11 * expected.lpNorm<Eigen::Infinity>()) << ball.joint;
    std::cout << "  " << ball.joint << " " << difference / ball.acceleration.norm() << "\n";
  }
  EXPECT_NEAR(v_dot(shoulder.second), expected(shoulder.second), 1e-6);
}

}  // namespace
}  // namespace hamiltree
