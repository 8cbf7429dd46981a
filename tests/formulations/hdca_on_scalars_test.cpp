// Hdca on the counting and on the tracing scalar.
#include <gtest/gtest.h>

#include "formulations/kernel_on_scalars.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree::test {
namespace {

class PlanarHdcaOnScalars : public KernelOnScalars {};

TEST_P(PlanarHdcaOnScalars, Rates) { check<Hdca, Planar<double>>(Evaluation::kRates); }
TEST_P(PlanarHdcaOnScalars, Accelerations) {
  check<Hdca, Planar<double>>(Evaluation::kAccelerations);
}

INSTANTIATE_TEST_SUITE_P(Samples, PlanarHdcaOnScalars, testing::ValuesIn(samples()), name_of);

class SpatialHdcaOnScalars : public KernelOnScalars {};

TEST_P(SpatialHdcaOnScalars, Rates) { check<Hdca, Spatial<double>>(Evaluation::kRates); }
TEST_P(SpatialHdcaOnScalars, Accelerations) {
  check<Hdca, Spatial<double>>(Evaluation::kAccelerations);
}

INSTANTIATE_TEST_SUITE_P(Samples, SpatialHdcaOnScalars, testing::ValuesIn(samples()), name_of);

}  // namespace
}  // namespace hamiltree::test
