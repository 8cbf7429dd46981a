// Recursive on the counting and on the tracing scalar, in space.
#include <gtest/gtest.h>

#include "formulations/kernel_on_scalars.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree::test {
namespace {

class SpatialRecursiveOnScalars : public KernelOnScalars {};

TEST_P(SpatialRecursiveOnScalars, Rates) { check<Recursive, Spatial<double>>(Evaluation::kRates); }
TEST_P(SpatialRecursiveOnScalars, Accelerations) {
  check<Recursive, Spatial<double>>(Evaluation::kAccelerations);
}

INSTANTIATE_TEST_SUITE_P(Samples, SpatialRecursiveOnScalars, testing::ValuesIn(samples()), name_of);

}  // namespace
}  // namespace hamiltree::test
