// Two formulations of one model at one state: all that they say of the motion is the same.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "support/rates.hpp"

namespace hamiltree::test {

inline void expect_near(const Eigen::VectorXd& found, const Eigen::VectorXd& expected,
                        double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  EXPECT_LE((found - expected).norm(), tolerance * (1.0 + expected.norm())) << what;
}

// The effect on the momenta of impulses in the rows of the loops, which no choice of rows changes.
inline Eigen::VectorXd felt(const Model& model, const StateView& state,
                            const Eigen::VectorXd& sigma) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, state.t, state.q, kin);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(system.velocities);
    add_loop_impulses(system, 1.0, sigma.data(), kin, p.data());
    return p;
  });
}

// By how much the loops are open.
inline Eigen::VectorXd gaps_of(const Model& model, const StateView& state) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, state.t, state.q, kin);
    Eigen::VectorXd gaps(system.constraints);
    position_residual(system, kin, state.q, gaps.data());
    return gaps;
  });
}

struct Motion {
  Power power;
  double gap = 0.0;  // how far the loops were open
};

// Rates with the leaky gauge, impulses, redundancy, powers and projection; those of `expected`.
inline Motion expect_same_motion(const Model& model, const Formulation& found,
                                 const Formulation& expected, const StateView& state,
                                 double tolerance) {
  const auto w = found.make_workspace(), v = expected.make_workspace();
  w->leak = v->leak = 0.7;
  const auto rows = found.analyse(state, *w);
  EXPECT_EQ(rows.redundant, expected.analyse(state, *v).redundant);
  EXPECT_EQ(rows.constraints, model.constraint_count());

  EXPECT_EQ(found.rate(state, *w), Status::kOk);
  EXPECT_EQ(expected.rate(state, *v), Status::kOk);
  expect_near(to_vector(w->v), to_vector(v->v), tolerance, "v");
  expect_near(to_vector(w->q_dot), to_vector(v->q_dot), tolerance, "q_dot");
  expect_near(to_vector(w->u_dot), to_vector(v->u_dot), tolerance, "p_dot");
  expect_near(felt(model, state, to_vector(w->sigma)), felt(model, state, to_vector(v->sigma)),
              tolerance, "sigma");
  const auto power = found.power(state, *w), other = expected.power(state, *v);
  const double size = 1.0 + std::abs(other.driven) + std::abs(other.applied);
  EXPECT_NEAR(power.driven, other.driven, tolerance * size);
  EXPECT_NEAR(power.applied, other.applied, tolerance * size);
  EXPECT_NEAR(power.dissipated, other.dissipated, tolerance * size);

  const auto phi = gaps_of(model, state);
  EXPECT_EQ(found.velocities(state, phi.data(), *w), Status::kOk);
  EXPECT_EQ(expected.velocities(state, phi.data(), *v), Status::kOk);
  expect_near(to_vector(w->v), to_vector(v->v), tolerance, "projection");
  expect_near(to_vector(w->q_dot), to_vector(v->q_dot), tolerance, "q_dot of the projection");
  return {other, phi.norm()};
}

}  // namespace hamiltree::test
