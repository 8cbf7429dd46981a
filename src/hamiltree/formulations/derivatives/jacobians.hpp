// Jacobians of the rates of a Model.
#pragma once

#include <Eigen/Core>
#include <span>

namespace hamiltree {

namespace derivatives {

// One column for each direction; rows are contiguous. An empty one is zero.
using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace derivatives

using derivatives::Columns;

struct RateDerivatives {
  Columns v, q_dot, p_dot, sigma;
};

// d(row)/d(column) of the rates; time is one column.
struct Jacobians {
  RateDerivatives q, p, t;
};

}  // namespace hamiltree
