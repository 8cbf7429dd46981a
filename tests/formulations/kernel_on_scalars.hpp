// A kernel on the counting and on the tracing scalar: the trace computes what the kernel on double
// computes, and needs no more operations than run. Sources are few suites each: they are long to
// compile.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/model.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"
#include "support/random_mechanism.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree::test {

inline constexpr double kTolerance = 1e-12;  // of the largest output; measured: 3e-14 at most
// An instant for each trace, in different pieces of the functions of time.
inline constexpr double kTimes[] = {-0.9, -0.4, 0.1, 0.4, 0.8, 1.3};

// The outputs of a kernel.
enum class Evaluation { kRates, kAccelerations };

// At (t, q, p): v, qdot, pdot and sigma; or v_dot, lambda and what the joints transmit.
template <class Kernel, class Scalar>
std::vector<Scalar> evaluate(const Kernel& kernel, Evaluation evaluation,
                             std::span<const Scalar> state, typename Kernel::Work& work) {
  const Scalar* q = state.data() + 1;
  const auto& result = work.result;
  kernel.velocities(state[0], q, q + kernel.system().coordinates, nullptr, work);
  std::vector<Scalar> all;
  const auto add = [&](const std::vector<Scalar>& part) {
    all.insert(all.end(), part.begin(), part.end());
  };
  if (evaluation == Evaluation::kRates) {
    kernel.momentum_rates(state[0], q, work);
    for (const auto* part : {&result.v, &result.q_dot, &result.p_dot, &result.sigma}) add(*part);
  } else {
    kernel.accelerations(state[0], q, work);
    for (const auto* part : {&result.v_dot, &result.lambda}) add(*part);
    for (const auto& wrench : work.wrench) all.insert(all.end(), wrench.begin(), wrench.end());
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

inline void print(const std::string& label, int bodies, const OperationCount& run,
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
void check_kernel(const Model& model, const System<Space>& system, Evaluation evaluation) {
  using CountedSpace = typename Space::template Rebind<Counted>;
  using TracedSpace = typename Space::template Rebind<Traced>;
  const std::string label = std::string(KernelOf<Space>::kName) +
                            (Space::kIsPlanar ? ", planar " : ", spatial ") + model.name() +
                            (evaluation == Evaluation::kRates ? "" : ", accelerations");
  SCOPED_TRACE(label);
  const KernelOf<Space> kernel(system);
  const KernelOf<CountedSpace> counted_kernel(system.template cast<Counted>());
  const KernelOf<TracedSpace> traced_kernel(system.template cast<Traced>());
  typename KernelOf<Space>::Work work(kernel);
  typename KernelOf<CountedSpace>::Work counted_work(counted_kernel);
  typename KernelOf<TracedSpace>::Work traced_work(traced_kernel);

  RandomMechanism random(7);
  const auto random_state = [&](double t) {
    Eigen::VectorXd state = random.vector(1 + system.coordinates + system.velocities);
    state(0) = t;
    normalise_coordinates(system, state.data() + 1);
    return std::vector<double>(state.begin(), state.end());
  };
  std::vector<double> state = random_state(0.3);
  const double* q = state.data() + 1;
  LoopChoices<KernelOf<Space>>::analyse(kernel, {state[0], q, q + system.coordinates}, work);
  copy_choices(work, counted_work);
  copy_choices(work, traced_work);

  OperationCount run;
  {
    const std::vector<Counted> in(state.begin(), state.end());
    const CountOperations scope;
    evaluate<KernelOf<CountedSpace>, Counted>(counted_kernel, evaluation, in, counted_work);
    run = scope.count();
  }
  Trace trace;
  {
    const TraceScope scope(trace);
    std::vector<Traced> in;
    for (std::size_t i = 0; i < state.size(); ++i) in.push_back(trace.input(std::to_string(i)));
    for (const auto& out :
         evaluate<KernelOf<TracedSpace>, Traced>(traced_kernel, evaluation, in, traced_work)) {
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
  for (const double t : kTimes) {
    state = random_state(t);
    const auto expected = evaluate<KernelOf<Space>, double>(kernel, evaluation, state, work);
    const auto result = trace.evaluate(state);
    ASSERT_EQ(result.size(), expected.size());
    double size = 0.0;
    for (const double x : expected) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < result.size(); ++i) {
      worst = std::max(worst, std::abs(result[i] - expected[i]) / size);
      ASSERT_NEAR(result[i], expected[i], kTolerance * size) << "output " << i;
    }
  }
  std::printf("  worst error %.1g\n", worst);
}

struct Sample {
  std::string name;
  Mechanism (*make)(SpaceKind);
};

inline void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

inline std::vector<Sample> samples() {
  return {
      {"chain", [](SpaceKind space) { return sample_chain(space, 8); }},
      {"tree", sample_tree},
      {"joints", [](SpaceKind space) { return sample_joints(space, false); }},
      {"joints_reversed", [](SpaceKind space) { return sample_joints(space, true); }},
      {"driven", sample_driven},
      {"couplings", sample_couplings},
      {"loop_pin", [](SpaceKind space) { return sample_loop(space, JointType::kRevolute); }},
      {"loop_slider", [](SpaceKind space) { return sample_loop(space, JointType::kPrismatic); }},
      {"coupled_loops", sample_coupled_loops}};
}

// A suite of a kernel in a space has one test for each sample.
class KernelOnScalars : public testing::TestWithParam<Sample> {
 protected:
  template <template <class> class KernelOf, class Space>
  static void check(Evaluation evaluation) {
    Mechanism mechanism =
        GetParam().make(Space::kIsPlanar ? SpaceKind::kPlanar : SpaceKind::kSpatial);
    mechanism.name = GetParam().name;
    const Model model(std::move(mechanism));
    model.visit([&]<class Other>(const System<Other>& system) {
      if constexpr (std::is_same_v<Other, Space>) {
        check_kernel<KernelOf>(model, system, evaluation);
      } else {
        FAIL() << "the mechanism is of the other space";
      }
    });
  }
};

inline std::string name_of(const testing::TestParamInfo<Sample>& info) { return info.param.name; }

}  // namespace hamiltree::test
