// Traits of the scalars that wrap a double, for Eigen. Their costs are those of double, so that
// Eigen unrolls, nests and sums all of them in one and the same order.
#pragma once

#include <Eigen/Core>
#include <limits>

namespace hamiltree {

template <class T>
struct EigenScalarTraits : Eigen::GenericNumTraits<double> {
  using Real = T;
  using NonInteger = T;
  using Nested = T;
  using Literal = double;
  enum { IsInteger = 0, IsSigned = 1, IsComplex = 0, RequireInitialization = 1 };

  static T epsilon() { return T(std::numeric_limits<double>::epsilon()); }
  static T dummy_precision() { return T(Eigen::NumTraits<double>::dummy_precision()); }
  static T highest() { return T(std::numeric_limits<double>::max()); }
  static T lowest() { return T(std::numeric_limits<double>::lowest()); }
  static T infinity() { return T(std::numeric_limits<double>::infinity()); }
  static T quiet_NaN() { return T(std::numeric_limits<double>::quiet_NaN()); }
};

}  // namespace hamiltree
