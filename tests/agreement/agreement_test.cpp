// hdca, recursive and dense on random mechanisms, by one rule: normwise error of qdot and pdot
// <= 1e-14 cond(scaled augmented matrix) + 1e-12; samples with cond > 1e8 are counted apart.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using test::RandomMechanism;
using test::Topology;

constexpr std::uint64_t kSeed = 20170301;
constexpr int kSamplesPerClass = 300;  // x 4 topologies x 2 spaces = 2,400

// Condition of [M A^T; A 0] with rows and columns scaled to a unit diagonal of M and unit rows of
// A.
template <class Space>
double scaled_condition(const typename Dense<Space>::Work& work) {
  const auto& M = work.augmented.M;
  const auto& A = work.augmented.A;
  const Eigen::VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(M.rows() + A.rows(), M.rows() + A.rows());
  K.topLeftCorner(M.rows(), M.rows()) = s.asDiagonal() * M * s.asDiagonal();
  Eigen::MatrixXd scaled = A * s.asDiagonal();
  for (Eigen::Index r = 0; r < scaled.rows(); ++r) scaled.row(r).normalize();
  K.bottomLeftCorner(A.rows(), M.rows()) = scaled;
  K.topRightCorner(M.rows(), A.rows()) = scaled.transpose();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(K).singularValues();
  return values(0) / values(values.size() - 1);
}

double relative_error(std::span<const double> x, const std::vector<double>& reference) {
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    difference += (x[i] - reference[i]) * (x[i] - reference[i]);
    size += reference[i] * reference[i];
  }
  return std::sqrt(difference) / std::max(std::sqrt(size), 1e-300);
}

struct Tally {
  int samples = 0;
  int ill_conditioned = 0;
  double worst = 0.0;  // error over its bound
  std::string worst_case;
};

template <class Space>
void check_sample(const Model& model, const System<Space>& system, RandomMechanism& random,
                  const std::string& label, Tally& tally) {
  Eigen::VectorXd q = random.vector(system.coordinates);
  normalise_coordinates(system, q.data());
  const Eigen::VectorXd p = random.vector(system.velocities);
  const StateView state{0.37, q.data(), p.data()};

  const Dense<Space> dense(system);
  typename Dense<Space>::Work reference(dense);
  dense.velocities(q.data(), p.data(), nullptr, reference);
  dense.momentum_rates(state.t, q.data(), reference);
  const double condition = system.velocities == 0 ? 1.0 : scaled_condition<Space>(reference);
  ++tally.samples;
  if (condition > 1e8) {
    ++tally.ill_conditioned;
    return;
  }
  const double bound = 1e-14 * condition + 1e-12;
  for (const std::string name : {"hdca", "recursive"}) {
    if (name == "recursive" && model.loop_count() > 0) continue;
    const auto formulation = make_formulation(name, model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse(state, *workspace);
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk) << label;
    for (const auto& [what, error] :
         {std::pair{"qdot", relative_error(workspace->q_dot, reference.result.q_dot)},
          std::pair{"pdot", relative_error(workspace->p_dot, reference.result.p_dot)}}) {
      EXPECT_LE(error, bound) << name << " " << what << ", " << label << ", cond " << condition;
      if (error / bound > tally.worst) {
        char text[200];
        std::snprintf(text, sizeof text, "%s %s of %s: error %.2g at cond %.2g", name.c_str(), what,
                      label.c_str(), error, condition);
        tally.worst = error / bound;
        tally.worst_case = text;
      }
    }
  }
}

class Agreement : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

TEST_P(Agreement, OfRates) {
  const auto [space, topology] = GetParam();
  Tally tally;
  for (int i = 0; i < kSamplesPerClass; ++i) {
    const auto seed = kSeed + static_cast<std::uint64_t>(i);
    RandomMechanism random(seed);
    const Model model(random.make(space, topology));
    const std::string label = std::string(space == SpaceKind::kPlanar ? "planar " : "spatial ") +
                              to_name(topology) + ", seed " + std::to_string(seed);
    model.visit([&](const auto& system) { check_sample(model, system, random, label, tally); });
    if (HasFatalFailure()) return;
  }
  std::printf(
      "%d samples from seed %llu, %d with cond > 1e8 apart; worst (%.2g of its bound): %s\n",
      tally.samples, static_cast<unsigned long long>(kSeed), tally.ill_conditioned, tally.worst,
      tally.worst_case.c_str());
  EXPECT_LT(tally.ill_conditioned, tally.samples / 2);
}

INSTANTIATE_TEST_SUITE_P(Random, Agreement,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::Values(Topology::kChain, Topology::kTree,
                                                          Topology::kSingleLoop,
                                                          Topology::kCoupledLoops)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) == SpaceKind::kPlanar
                                                  ? "Planar_"
                                                  : "Spatial_";
                           name += to_name(std::get<1>(info.param));
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace hamiltree
