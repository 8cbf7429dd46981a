// How many operations the kernel in world axes executes on machines: its passes, compiled as for
// one more set of instructions whose lanes count. Every lane counts, spare ones too; sines do not.
#ifdef HAMILTREE_KERNEL_THAT_COUNTS

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/kernels.hpp"
#include "hamiltree/math/operation_count.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"

namespace hamiltree {

namespace kernel::counting {
extern const Kernels kCounting;
OperationCount& counted_operations() {
  static OperationCount count;
  return count;
}
}  // namespace kernel::counting

namespace {

using InSpace = System<Spatial<double>>;

struct Counts {
  const char* name;
  std::size_t additions, multiplications, divisions;
};
std::ostream& operator<<(std::ostream& out, const Counts& counts) { return out << counts.name; }

struct Evaluation {
  OperationCount count;
  std::vector<double> v;
};

// Operations of the motion, with gravity and without other forces; `kernels` computes it.
Evaluation evaluate(const Model& model, const kernel::Kernels& kernels) {
  const auto& system = std::get<InSpace>(model.tables());
  const Eigen::VectorXd q = initial_state(model).q;
  const Eigen::VectorXd p = test::RandomMechanism(27).vector(system.velocities);
  const StateView state{0.0, q.data(), p.data()};
  const auto formulation = make_formulation("recursive", model, {.plane = false});
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state, *workspace);
  formulation->velocities(state, nullptr, *workspace);
  std::vector<bool> in_use;
  for (const double impulse : workspace->sigma) in_use.push_back(impulse != 0.0);
  Kinematics<Spatial<double>> kin(system);
  place(system, 0.0, q.data(), kin);
  const auto tables = kernel::compile(system, in_use, kin).value();
  kernel::Work work(tables);
  Evaluation result{{}, std::vector<double>(at(tables.velocities))};
  std::vector<double> q_dot(at(tables.coordinates)), sigma(at(tables.constraints)),
      p_dot(at(tables.velocities));
  const kernel::Arrays arrays{.q = q.data(),
                              .p = p.data(),
                              .v = result.v.data(),
                              .q_dot = q_dot.data(),
                              .sigma = sigma.data(),
                              .p_dot = p_dot.data()};
  kernel::counting::counted_operations() = {};
  kernels.place(tables, arrays, work);
  kernels.velocities(tables, arrays, work);
  kernels.momentum_rates(tables, arrays, work);
  result.count = kernel::counting::counted_operations();
  return result;
}

class KernelOperations : public testing::TestWithParam<Counts> {};

TEST_P(KernelOperations, OfMachinesAreThese) {
  const auto model = test::shipped(GetParam().name);
  const auto counted = evaluate(model, kernel::counting::kCounting);
  const auto& count = counted.count;
  EXPECT_EQ(count.additions, GetParam().additions);
  EXPECT_EQ(count.multiplications, GetParam().multiplications);
  EXPECT_EQ(count.divisions, GetParam().divisions);
  const auto plain = evaluate(model, kernel::kernels());
  EXPECT_EQ(plain.count.total(), 0U);
  for (std::size_t i = 0; i < plain.v.size(); ++i)
    EXPECT_NEAR(counted.v[i], plain.v[i], 1e-9 * (1.0 + std::abs(plain.v[i])));
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, KernelOperations,
    testing::Values(Counts{"stewart", 9128, 10700, 35}, Counts{"delta", 11112, 12510, 32},
                    Counts{"suspension", 17910, 19201, 52}, Counts{"excavator", 9012, 9743, 20},
                    Counts{"biped", 13958, 15105, 40}, Counts{"hexapod", 9248, 10868, 35},
                    Counts{"spherical_3rrr", 3802, 4400, 11}, Counts{"sarrus", 3270, 3756, 9},
                    Counts{"motorcycle", 9021, 9751, 24}, Counts{"pantograph_leg", 4958, 5410, 11},
                    Counts{"planetary_gear", 7170, 7370, 21}, Counts{"backhoe", 18254, 19555, 42},
                    Counts{"deployable_ring", 31333, 33340, 45},
                    Counts{"scissor_lift", 10765, 11830, 25}, Counts{"hand", 13326, 14384, 34}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hamiltree

#endif
