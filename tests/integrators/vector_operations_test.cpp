// Our vector operations against those of SUNDIALS: the same bits, for every number of terms and any
// length, and where the result is the first term.
#include "hamiltree/integrators/vector_operations.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "hamiltree/integrators/sundials.hpp"

namespace hamiltree::sundials {
namespace {

constexpr unsigned kSeed = 417;

class VectorOperations : public testing::TestWithParam<int> {
 protected:
  // `count` vectors by the operations of SUNDIALS, or the same by ours.
  std::vector<Vector> vectors(int count, bool own) {
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Vector> all;
    for (int k = 0; k < count; ++k) {
      all.emplace_back(N_VNew_Serial(GetParam(), context_.get()));
      if (own) use_own_operations(all.back().get());
      for (int i = 0; i < GetParam(); ++i) data(all.back().get())[i] = uniform(random);
    }
    return all;
  }
  void expect_same(const Vector& one, const Vector& other) const {
    for (int i = 0; i < GetParam(); ++i) ASSERT_EQ(data(one.get())[i], data(other.get())[i]) << i;
  }

  Context context_ = make_context();
};

TEST_P(VectorOperations, SumsHaveTheBitsOfSundials) {
  for (int count = 1; count <= 13; ++count) {
    for (const bool in_place : {false, true}) {
      std::vector<double> c;
      for (int k = 0; k < count; ++k) c.push_back(0.7 - 0.3 * k);
      std::vector<std::vector<Vector>> results;
      for (const bool own : {false, true}) {
        auto x = vectors(count + 1, own);
        std::vector<N_Vector> terms;
        for (int k = 0; k < count; ++k) terms.push_back(x[static_cast<std::size_t>(k)].get());
        N_Vector z = in_place ? x.front().get() : x.back().get();
        N_VLinearCombination(count, c.data(), terms.data(), z);
        results.push_back(std::move(x));
      }
      for (std::size_t k = 0; k < results[0].size(); ++k) expect_same(results[0][k], results[1][k]);
    }
  }
}

TEST_P(VectorOperations, ScaledAndAddedVectorsAndNormsToo) {
  std::vector<double> norms;
  std::vector<std::vector<Vector>> results;
  for (const bool own : {false, true}) {
    auto x = vectors(5, own);
    std::vector<double> a{0.3, -1.0, 2.5};
    std::vector<N_Vector> y{x[1].get(), x[2].get(), x[3].get()};
    N_VScaleAddMulti(3, a.data(), x[0].get(), y.data(), y.data());
    N_VLinearSum(1.5, x[0].get(), -0.5, x[1].get(), x[4].get());
    N_VScale(-2.25, x[4].get(), x[0].get());
    norms.push_back(N_VWrmsNorm(x[1].get(), x[2].get()));
    results.push_back(std::move(x));
  }
  EXPECT_EQ(norms[0], norms[1]);
  for (std::size_t k = 0; k < results[0].size(); ++k) expect_same(results[0][k], results[1][k]);
}

INSTANTIATE_TEST_SUITE_P(Lengths, VectorOperations, testing::Values(1, 2, 7, 8, 67, 512));

}  // namespace
}  // namespace hamiltree::sundials
