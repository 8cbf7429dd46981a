// Every kernel runs on the counting and on the tracing scalar: the trace computes what the kernel
// on double computes, and needs no more operations than run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/formulations/contraction/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

constexpr double kTolerance = 1e-12;  // of the largest output; measured: 3e-14 at most
constexpr int kPoints = 5;            // evaluations of each trace

// v, qdot, pdot and sigma at (t, q, p).
template <class Kernel, class Scalar>
std::vector<Scalar> rates(const Kernel& kernel, std::span<const Scalar> state,
                          typename Kernel::Work& work) {
  const Scalar* q = state.data() + 1;
  kernel.velocities(state[0], q, q + kernel.system().coordinates, nullptr, work);
  kernel.momentum_rates(state[0], q, work);
  std::vector<Scalar> all;
  for (const auto* part :
       {&work.result.v, &work.result.q_dot, &work.result.p_dot, &work.result.sigma}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

// The rows chosen on double, for a workspace of another scalar.
template <class From, class To>
void copy_choices(const From& from, To& to) {
  for (std::size_t c = 0; c < from.fronts.size(); ++c) {
    to.fronts[c].order = from.fronts[c].order;
    to.fronts[c].mask = from.fronts[c].mask;
  }
}

void print(const std::string& label, int bodies, const OperationCount& run,
           const OperationCount& needed) {
  const auto per_body = [&](std::size_t n) { return static_cast<double>(n) / bodies; };
  std::printf(
      "%-34s %2d bodies, per body: run %6.0f add %6.0f mul %4.1f div; traced %6.0f add %6.0f mul "
      "%4.1f div\n",
      label.c_str(), bodies, per_body(run.additions), per_body(run.multiplications),
      per_body(run.divisions), per_body(needed.additions), per_body(needed.multiplications),
      per_body(needed.divisions));
}

template <template <class> class KernelOf, class Space>
void check_kernel(const Model& model, const System<Space>& system) {
  using CountedSpace = typename Space::template Rebind<Counted>;
  using TracedSpace = typename Space::template Rebind<Traced>;
  const std::string label = std::string(KernelOf<Space>::kName) +
                            (Space::kIsPlanar ? ", planar " : ", spatial ") + model.name();
  SCOPED_TRACE(label);
  const KernelOf<Space> kernel(system);
  const KernelOf<CountedSpace> counted_kernel(system.template cast<Counted>());
  const KernelOf<TracedSpace> traced_kernel(system.template cast<Traced>());
  typename KernelOf<Space>::Work work(kernel);
  typename KernelOf<CountedSpace>::Work counted_work(counted_kernel);
  typename KernelOf<TracedSpace>::Work traced_work(traced_kernel);

  test::RandomMechanism random(7);
  const auto random_state = [&] {
    Eigen::VectorXd state = random.vector(1 + system.coordinates + system.velocities);
    normalise_coordinates(system, state.data() + 1);
    return std::vector<double>(state.begin(), state.end());
  };
  std::vector<double> state = random_state();
  const double* q = state.data() + 1;
  LoopChoices<KernelOf<Space>>::analyse(kernel, {state[0], q, q + system.coordinates}, work);
  copy_choices(work, counted_work);
  copy_choices(work, traced_work);

  OperationCount run;
  {
    const std::vector<Counted> in(state.begin(), state.end());
    const CountOperations scope;
    rates<KernelOf<CountedSpace>, Counted>(counted_kernel, in, counted_work);
    run = scope.count();
  }
  Trace trace;
  {
    const TraceScope scope(trace);
    std::vector<Traced> in;
    for (std::size_t i = 0; i < state.size(); ++i) in.push_back(trace.input(std::to_string(i)));
    for (const auto& out : rates<KernelOf<TracedSpace>, Traced>(traced_kernel, in, traced_work)) {
      trace.output("rate", out);
    }
  }
  const OperationCount needed = trace.count();
  print(label, system.body_count(), run, needed);
  EXPECT_GT(run.additions, 0U);
  EXPECT_GT(run.multiplications, 0U);
  EXPECT_GT(run.divisions, 0U);
  EXPECT_GT(needed.flops(), 0U);
  EXPECT_LT(needed.additions, run.additions);
  EXPECT_LT(needed.multiplications, run.multiplications);
  EXPECT_LE(needed.divisions, run.divisions);
  EXPECT_LE(needed.trigonometric, run.trigonometric);

  double worst = 0.0;
  for (int point = 0; point < kPoints; ++point) {
    const auto expected = rates<KernelOf<Space>, double>(kernel, state, work);
    const auto result = trace.evaluate(state);
    ASSERT_EQ(result.size(), expected.size());
    double size = 0.0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < result.size(); ++i) {
      worst = std::max(worst, std::abs(result[i] - expected[i]) / size);
      ASSERT_NEAR(result[i], expected[i], kTolerance * size) << "output " << i;
    }
    state = random_state();
  }
  std::printf("  worst error %.1g\n", worst);
}

template <template <class> class KernelOf>
void check(Mechanism mechanism, const std::string& name) {
  mechanism.name = name;
  const Model model(std::move(mechanism));
  model.visit([&](const auto& system) { check_kernel<KernelOf>(model, system); });
}

class KernelsOnScalars : public testing::TestWithParam<SpaceKind> {};

TEST_P(KernelsOnScalars, Chain) {
  check<Recursive>(test::sample_chain(GetParam(), 8), "chain");
  check<Hdca>(test::sample_chain(GetParam(), 8), "chain");
}

TEST_P(KernelsOnScalars, TreeWithEveryJointAndForce) {
  check<Recursive>(test::sample_tree(GetParam()), "tree");
  check<Hdca>(test::sample_tree(GetParam()), "tree");
}

TEST_P(KernelsOnScalars, LoopClosedByAPin) {
  check<Recursive>(test::sample_loop(GetParam(), JointType::kRevolute), "loop, pin");
  check<Hdca>(test::sample_loop(GetParam(), JointType::kRevolute), "loop, pin");
}

TEST_P(KernelsOnScalars, LoopClosedByASlider) {
  check<Recursive>(test::sample_loop(GetParam(), JointType::kPrismatic), "loop, slider");
  check<Hdca>(test::sample_loop(GetParam(), JointType::kPrismatic), "loop, slider");
}

TEST_P(KernelsOnScalars, CoupledLoops) {
  check<Recursive>(test::sample_coupled_loops(GetParam()), "coupled loops");
  check<Hdca>(test::sample_coupled_loops(GetParam()), "coupled loops");
}

INSTANTIATE_TEST_SUITE_P(Spaces, KernelsOnScalars,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

TEST(Scalars, KnowAtan2) {
  Trace trace;
  {
    const TraceScope scope(trace);
    const Traced y = trace.input("y");
    trace.output("angle", atan2(y, trace.input("x")));
  }
  EXPECT_EQ(trace.evaluate(std::vector{-1.0, -2.0})[0], std::atan2(-1.0, -2.0));
  EXPECT_EQ(trace.count().trigonometric, 1U);
  EXPECT_EQ(atan2(Traced(1.0), Traced(-1.0)).constant_value(), std::atan2(1.0, -1.0));
  const CountOperations scope;
  EXPECT_EQ(atan2(Counted(1.0), Counted(-2.0)).value(), std::atan2(1.0, -2.0));
  EXPECT_EQ(scope.count().trigonometric, 1U);
}

}  // namespace
}  // namespace hamiltree
