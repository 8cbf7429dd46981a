// Velocities next to singular poses, where pivots are the squares of small angles: refined, they
// keep the digits that the pose has.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/folded.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;

struct Found {
  VectorXd v;
  double opening = 0.0;  // m/s and rad/s, the largest
  std::vector<int> masked;
};

// At a step boundary.
Found velocities(const Model& model, const FormulationOptions& options, const VectorXd& q,
                 const VectorXd& p) {
  const auto formulation = make_formulation("recursive", model, options);
  const auto workspace = formulation->make_workspace();
  const StateView state{0.0, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  formulation->velocities(state, nullptr, *workspace);
  formulation->prepare(state, *workspace);
  EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
  Found found{Eigen::Map<const VectorXd>(workspace->v.data(), p.size()), 0.0,
              formulation->singular_joints(*workspace)};
  found.opening = model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, 0.0, q.data(), kin);
    move(system, found.v.data(), kin);
    VectorXd phi_dot(system.constraints);
    velocity_residual(system, kin, phi_dot.data());
    return phi_dot.lpNorm<Eigen::Infinity>();
  });
  return found;
}

// At angles e, -e, e the motion is (w, -w, w) with (pA - pB + pD) / w = 0.5^2 (2 / 3 + 1) kg m^2.
void expect_one_crank(SpaceKind space, const FormulationOptions& options) {
  for (const double e : {3e-4, 1e-4}) {
    SCOPED_TRACE(e);
    const Model model(test::folded_four_bar({.angles = {e, -e, e}}, space));
    const VectorXd q = initial_state(model).q;
    const Eigen::Vector3d p(0.3, 0.1, 0.4);
    const auto found = velocities(model, options, q, p);
    const double w = 0.6 / (0.25 * (2.0 / 3.0 + 1.0));
    EXPECT_TRUE(found.masked.empty());
    EXPECT_LT(found.opening, 1e-15);
    EXPECT_LT((found.v - Eigen::Vector3d(w, -w, w)).norm(), 1e-15 / e);
  }
}

TEST(BesideASingularPose, APlanarParallelogramMovesAsOneCrank) {
  expect_one_crank(SpaceKind::kPlanar, {});
}
TEST(BesideASingularPose, AParallelogramInSpaceMovesAsOneCrank) {
  expect_one_crank(SpaceKind::kSpatial, {});
  expect_one_crank(SpaceKind::kSpatial, {.plane = false});
}

}  // namespace
}  // namespace hamiltree
