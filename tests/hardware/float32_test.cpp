// The chip's numbers against what IEEE 754 says of them, where the two differ.
#include "hardware/compiler/float32.hpp"

#include <gtest/gtest.h>

namespace hamiltree::hardware {
namespace {

constexpr Word kOne = 0x3f800000U, kSmallest = 0x00800000U, kSubnormal = 0x007fffffU;

TEST(Float32, SubnormalsVanishWithTheirSign) {
  EXPECT_EQ(add(kSubnormal, 0), 0U);
  EXPECT_EQ(add(kSubnormal | kSignBit, kSignBit), kSignBit);
  EXPECT_EQ(add(kSmallest + 1, kSmallest | kSignBit), 0U);  // 2^-149
  EXPECT_EQ(multiply(kSmallest | kSignBit, 0x3f000000U), kSignBit);
  EXPECT_EQ(reciprocal(0x7f000000U), 0U);  // 2^-127
  EXPECT_EQ(reciprocal(0x7e800000U), kSmallest);
}

// 24 digits of 2^-126 (1 - 2^-24) are below the smallest number, though binary32 would round up.
TEST(Float32, VanishesBeforeSubnormalRounding) {
  EXPECT_EQ(multiply(kSmallest, 0x3f7fffffU), 0U);
  EXPECT_EQ(multiply(kSmallest + 1, 0x3f7fffffU), kSmallest);
}

TEST(Float32, Specials) {
  EXPECT_EQ(reciprocal(0), kInfinity);
  EXPECT_EQ(reciprocal(kSubnormal | kSignBit), kInfinity | kSignBit);
  EXPECT_EQ(reciprocal(kInfinity | kSignBit), kSignBit);
  EXPECT_EQ(add(kInfinity, kInfinity | kSignBit), kNotANumber);
  EXPECT_EQ(multiply(kInfinity, kSubnormal), kNotANumber);
  EXPECT_EQ(add(kOne, 0xff812345U), kNotANumber);
  EXPECT_EQ(multiply(0x7f000000U, 0x40000000U), kInfinity);
  EXPECT_TRUE(is_nan(kNotANumber) && !is_nan(kInfinity) && is_infinite(kInfinity | kSignBit));
}

}  // namespace
}  // namespace hamiltree::hardware
