// Loops that are opened have no rows: what looks for gaps finds, and writes, none.
#include "hamiltree/model/opened.hpp"

#include <gtest/gtest.h>

#include "hamiltree/model/loops.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

TEST(Opened, LoopsWriteNoRows) {
  for (const auto* name : {"four_bar", "bennett", "gear_pair", "delta", "hand"}) {
    SCOPED_TRACE(name);
    const auto model = test::shipped(name);
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(model.coordinate_count(), 0.1, 0.9);
    const Eigen::VectorXd untouched = Eigen::VectorXd::Constant(model.constraint_count() + 6, 7.0);
    Eigen::VectorXd phi = untouched, phi_dot = untouched;
    model.opened().visit([&]<class Space>(const System<Space>& system) {
      Kinematics<Space> kin(system);
      place(system, 0.0, q.data(), kin);
      position_residual(system, kin, q.data(), phi.data());
      velocity_residual(system, kin, phi_dot.data());
    });
    EXPECT_EQ(phi, untouched);
    EXPECT_EQ(phi_dot, untouched);
  }
}

}  // namespace
}  // namespace hamiltree
