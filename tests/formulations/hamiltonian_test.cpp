// The dense formulation against derivatives of the Hamiltonian, taken by complex steps over
// separate kinematics: qdot = dH/dp, pdot = -dH/dq + loads without a potential. In loops H(q, p)
// contains the constrained solve; with impulses sigma
//   pdot = -dH/dq + Q + sum_r sigma_r (d(A_r v)/dq - dA_r/dt),
// the last bracket vanishing in the gauge sigma = 0.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdio>
#include <string>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/model.hpp"
#include "support/hamiltonian_oracle.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using test::HamiltonianOracle;
using test::RandomMechanism;
using test::Topology;
using Complex = HamiltonianOracle::Complex;

constexpr std::uint64_t kSeed = 1835;
constexpr int kSamples = 100;  // per topology and space
// Error relative to the rates; measured: 7e-14 and 1.3e-15 cond at most.
double bound(double condition) { return 1e-12 + 1e-15 * condition; }
constexpr double kLargestCondition = 1e8;

enum class Gauge { kReset, kAny };

struct Sample {
  Eigen::VectorXd q, p, v, sigma, p_dot;
};

template <class Space>
Sample dense_rates(const System<Space>& system, double t, const Eigen::VectorXd& q,
                   const Eigen::VectorXd& p) {
  const Dense<Space> dense(system);
  typename Dense<Space>::Work work(dense);
  dense.velocities(t, q.data(), p.data(), nullptr, work);
  dense.momentum_rates(t, q.data(), work);
  const auto vector = [](const std::vector<double>& x) {
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  return {q, p, vector(work.result.v), vector(work.result.sigma), vector(work.result.p_dot)};
}

// sum_r sigma_r (d(A_r v)/dq - dA_r/dt)
Eigen::VectorXd gauge_terms(const HamiltonianOracle& oracle, const Sample& s) {
  const auto sigma_A = [&](const HamiltonianOracle::Vector& x) {
    return HamiltonianOracle::Vector(oracle.constraint_matrix(x).transpose() *
                                     s.sigma.cast<Complex>());
  };
  const auto along_v = HamiltonianOracle::gradient(s.q, [&](const HamiltonianOracle::Vector& x) {
    return Complex((sigma_A(x).transpose() * s.v.cast<Complex>())(0, 0));
  });
  const HamiltonianOracle::Vector moved =
      s.q.cast<Complex>() + Complex(0.0, HamiltonianOracle::kStep) * s.v.cast<Complex>();
  return along_v - sigma_A(moved).imag() / HamiltonianOracle::kStep;
}

double condition(const HamiltonianOracle& oracle, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd M = oracle.mass_matrix(q.cast<Complex>()).real();
  const Eigen::MatrixXd A = oracle.constraint_matrix(q.cast<Complex>()).real();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(M.rows() + A.rows(), M.rows() + A.rows());
  K.topLeftCorner(M.rows(), M.rows()) = M;
  K.bottomLeftCorner(A.rows(), M.rows()) = A;
  K.topRightCorner(M.rows(), A.rows()) = A.transpose();
  const Eigen::VectorXd values = singular_value_decomposition(K).values;
  return values(0) / values(values.size() - 1);
}

// The oracle knows joints with one or no degree of freedom; others become revolute. Nor does it
// know drives, couplings and forces along cuts.
Mechanism with_simple_joints(Mechanism mechanism) {
  mechanism.couplings.clear();
  for (auto& joint : mechanism.joints) {
    joint.drive.reset();
    joint.parent_motion.reset();
    if (joint.type != JointType::kPrismatic && joint.type != JointType::kFixed) {
      joint.type = JointType::kRevolute;
    }
  }
  return test::cut_where_closed(std::move(mechanism));
}

struct Worst {
  int samples = 0;
  int ill_conditioned = 0;
  double error = 0.0;          // relative
  double per_condition = 0.0;  // relative, over the condition number
};

template <class Space>
void check_sample(const System<Space>& system, RandomMechanism& random, Gauge gauge, Worst& worst) {
  if (system.velocities == 0) return;
  const HamiltonianOracle oracle(system);
  const double t = 0.37;
  const Eigen::VectorXd q = random.vector(system.coordinates);
  Eigen::VectorXd p = random.vector(system.velocities);
  const double cond = condition(oracle, q);
  ++worst.samples;
  if (cond > kLargestCondition) {
    ++worst.ill_conditioned;
    return;
  }
  if (gauge == Gauge::kReset) {
    const Eigen::VectorXd v =
        oracle.solve(q.cast<Complex>(), p.cast<Complex>()).real().head(system.velocities);
    p = oracle.mass_matrix(q.cast<Complex>()).real() * v;
  }
  const Sample s = dense_rates(system, t, q, p);

  const auto slope_p = HamiltonianOracle::gradient(p, [&](const HamiltonianOracle::Vector& x) {
    return oracle.hamiltonian(q.cast<Complex>(), x);
  });
  const auto slope_q = HamiltonianOracle::gradient(q, [&](const HamiltonianOracle::Vector& x) {
    return oracle.hamiltonian(x, p.cast<Complex>());
  });
  Eigen::VectorXd expected = -slope_q + oracle.other_loads(t, q, s.v);
  double size = 1.0 + expected.norm();
  if (gauge == Gauge::kReset) {
    EXPECT_LE(s.sigma.norm(), bound(cond));
  } else {
    const Eigen::VectorXd terms = gauge_terms(oracle, s);
    expected += terms;
    size += terms.norm();
  }
  const double error =
      std::max((s.v - slope_p).norm() / (1.0 + slope_p.norm()), (s.p_dot - expected).norm() / size);
  EXPECT_LE(error, bound(cond)) << "cond " << cond;
  worst.error = std::max(worst.error, error);
  worst.per_condition = std::max(worst.per_condition, error / cond);
}

class Hamiltonian : public testing::TestWithParam<std::tuple<SpaceKind, Topology, Gauge>> {};

TEST_P(Hamiltonian, DerivativesAreTheDenseRates) {
  const auto [space, topology, in_gauge] = GetParam();
  const Gauge gauge = in_gauge;  // a name that lambdas may capture
  Worst worst;
  for (int i = 0; i < kSamples; ++i) {
    const auto seed = kSeed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    Mechanism mechanism = with_simple_joints(random.make(space, topology));
    random.add_further_forces(mechanism);
    const Model model(mechanism);
    model.visit([&](const auto& system) { check_sample(system, random, gauge, worst); });
  }
  std::printf("%d samples from seed %llu, %d with cond > %g apart; worst error %.2g, %.2g cond\n",
              worst.samples, static_cast<unsigned long long>(kSeed), worst.ill_conditioned,
              kLargestCondition, worst.error, worst.per_condition);
  EXPECT_GT(worst.samples - worst.ill_conditioned, kSamples / 2);
}

std::string name_of(const testing::TestParamInfo<std::tuple<SpaceKind, Topology, Gauge>>& info) {
  const auto [space, topology, gauge] = info.param;
  std::string name = space == SpaceKind::kPlanar ? "Planar_" : "Spatial_";
  name += to_name(topology);
  name += gauge == Gauge::kReset ? "_reset" : "_any_gauge";
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

constexpr auto kPlanar = SpaceKind::kPlanar;
constexpr auto kSpatial = SpaceKind::kSpatial;

INSTANTIATE_TEST_SUITE_P(Trees, Hamiltonian,
                         testing::Combine(testing::Values(kPlanar, kSpatial),
                                          testing::Values(Topology::kChain, Topology::kTree),
                                          testing::Values(Gauge::kAny)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Loops, Hamiltonian,
                         testing::Combine(testing::Values(kPlanar, kSpatial),
                                          testing::Values(Topology::kSingleLoop,
                                                          Topology::kCoupledLoops),
                                          testing::Values(Gauge::kReset, Gauge::kAny)),
                         name_of);

}  // namespace
}  // namespace hamiltree
