// Couplings along curves against MuJoCo's mass matrix and forces with the exact solution of the
// same rows: M a - J^T lambda = f,  J a = P'' v^2. MuJoCo's own equalities are springs.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <random>
#include <string>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/math/dense_solvers.hpp"

#ifdef HAMILTREE_MUJOCO
#include "mujoco_model.hpp"
#endif

namespace hamiltree {
namespace {

#ifndef HAMILTREE_MUJOCO

TEST(CurvedCouplingOracle, Accelerations) { GTEST_SKIP() << "MuJoCo is not there"; }

#else

// As curves.xml has them.
struct Curve {
  const char *follower, *leader;
  double follower_start, leader_start;
  std::array<double, 5> c;

  double value(double x) const { return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4]))); }
  double slope(double x) const {
    return c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
  }
  double curvature(double x) const { return 2.0 * c[2] + x * (6.0 * c[3] + x * 12.0 * c[4]); }
};
constexpr std::array kCurves{
    Curve{"knee_slide", "knee", 0.01, -0.3, {0.004, 0.03, -0.02, 0.01, 0.005}},
    Curve{"shoulder", "hip", 0.0, 0.2, {0.1, 0.0, 1.4, 0.0, 0.0}}};

TEST(CurvedCouplingOracle, Accelerations) {
  constexpr unsigned kSeed = 7;
  const auto file = std::filesystem::path(HAMILTREE_TEST_MODELS) / "curves.xml";
  const auto m = test::read_by_mujoco(file);
  m->opt.disableflags |= mjDSBL_EQUALITY;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> d(mj_makeData(m.get()), mj_deleteData);
  ImportLog log;
  const Model model(read_model(file, {}, log).mechanism());
  ASSERT_EQ(model.velocity_count(), m->nv);

  // Joints with one coordinate: the same numbers in another order.
  std::vector<int> own(at(m->nv));
  const auto place = [&](const char* name) {
    return m->jnt_dofadr[mj_name2id(m.get(), mjOBJ_JOINT, name)];
  };
  for (int j = 0; j < model.joint_count(); ++j)
    own[at(place(model.joint_name(j).c_str()))] =
        model.visit([&](const auto& system) { return system.joint(j).v; });

  std::mt19937_64 random(kSeed);
  std::normal_distribution<double> normal;
  const auto n = static_cast<Eigen::Index>(m->nv);
  constexpr auto kRows = static_cast<Eigen::Index>(kCurves.size());
  double worst = 0.0;
  for (int sample = 0; sample < 30; ++sample) {
    Eigen::VectorXd q(n), v(n);
    for (auto& x : q) x = normal(random);
    for (auto& x : v) x = normal(random);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(kRows, n);
    Eigen::VectorXd rate(kRows);
    for (Eigen::Index r = 0; r < kRows; ++r) {
      const auto& curve = kCurves[static_cast<std::size_t>(r)];
      const int y = place(curve.follower), x = place(curve.leader);
      const double along = q(x) - curve.leader_start;
      q(y) = curve.follower_start + curve.value(along);
      v(y) = curve.slope(along) * v(x);
      J(r, y) = 1.0;
      J(r, x) = -curve.slope(along);
      rate(r) = curve.curvature(along) * v(x) * v(x);
    }
    std::copy(q.begin(), q.end(), d->qpos);
    std::copy(v.begin(), v.end(), d->qvel);
    mj_forward(m.get(), d.get());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + kRows, n + kRows);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(n, n);
    mj_fullM(m.get(), M.data(), d->qM);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, kRows) = -J.transpose();
    K.bottomLeftCorner(kRows, n) = J;
    Eigen::VectorXd right(n + kRows);
    right << Eigen::Map<const Eigen::VectorXd>(d->qfrc_passive, n) -
                 Eigen::Map<const Eigen::VectorXd>(d->qfrc_bias, n),
        rate;
    const Eigen::VectorXd exact = pivoted_qr(K).solve(right).topRows(n);
    const Eigen::VectorXd p = M * v;

    Eigen::VectorXd own_q(n), own_v(n), own_p(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      own_q(own[static_cast<std::size_t>(i)]) = q(i);
      own_v(own[static_cast<std::size_t>(i)]) = v(i);
      own_p(own[static_cast<std::size_t>(i)]) = p(i);
    }
    for (const std::string name : {"dense", "recursive", "hdca", "aba", "dca"}) {
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      const auto* u = formulation->form() == StateForm::kMomenta ? own_p.data() : own_v.data();
      const StateView state{0.0, own_q.data(), u};
      formulation->analyse(state, *workspace);
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      ASSERT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
      double difference = 0.0;
      for (Eigen::Index i = 0; i < n; ++i)
        difference =
            std::max(difference,
                     std::abs(exact(i) - workspace->v_dot[at(own[static_cast<std::size_t>(i)])]));
      EXPECT_LT(difference, 1e-12 * exact.cwiseAbs().maxCoeff()) << name << ", seed " << kSeed;
      worst = std::max(worst, difference / exact.cwiseAbs().maxCoeff());
    }
  }
  std::cout << "  largest difference " << worst << "\n";
}

#endif

}  // namespace
}  // namespace hamiltree
