// Recursive on the counting and on the tracing scalar, in the plane.
#include <gtest/gtest.h>

#include "formulations/kernel_on_scalars.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree::test {
namespace {

class PlanarRecursiveOnScalars : public KernelOnScalars {};

TEST_P(PlanarRecursiveOnScalars, Rates) { check<Recursive, Planar<double>>(Evaluation::kRates); }
TEST_P(PlanarRecursiveOnScalars, Accelerations) {
  check<Recursive, Planar<double>>(Evaluation::kAccelerations);
}

INSTANTIATE_TEST_SUITE_P(Samples, PlanarRecursiveOnScalars, testing::ValuesIn(samples()), name_of);

}  // namespace
}  // namespace hamiltree::test
