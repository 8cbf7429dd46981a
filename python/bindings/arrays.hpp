// NumPy arrays of doubles as they are: rows of numbers, the batch axis first. An array that is
// float64 and contiguous is used in place, another one is converted by NumPy.
#pragma once

#include <pybind11/numpy.h>

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"

namespace hamiltree::bindings {

using Array = pybind11::array_t<double, pybind11::array::c_style | pybind11::array::forcecast>;

// A shape (..., n) as `count` rows of n numbers; at most one axis stands before the last.
struct Rows {
  pybind11::ssize_t count = 1;
  bool batched = false;
};

inline Rows rows_of(const Array& array, const char* name, int size) {
  const auto n = array.ndim();
  if ((n == 1 || n == 2) && array.shape(n - 1) == size)
    return {n == 2 ? array.shape(0) : 1, n == 2};
  std::string shape;
  for (pybind11::ssize_t i = 0; i < n; ++i)
    shape += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
  throw UsageError(std::string(name) + " has shape (" + shape + "), not (" + std::to_string(size) +
                   ",) or (B, " + std::to_string(size) + ")");
}

// A new array of shape (rows, inner...), or (inner...) where there is no batch axis. Always by a
// shape: pybind11 before 2.12 gives an array of a mere count the stride 0 under NumPy 2.
inline Array make_array(const Rows& rows, std::vector<pybind11::ssize_t> inner) {
  if (rows.batched) inner.insert(inner.begin(), rows.count);
  return Array(inner);
}

inline Array to_array(const Eigen::VectorXd& x) {
  return Array(std::vector<pybind11::ssize_t>{x.size()}, x.data());
}

inline Eigen::VectorXd to_vector(const Array& array) {
  if (array.ndim() != 1) throw UsageError("an array with one axis is needed");
  return Eigen::Map<const Eigen::VectorXd>(array.data(), array.shape(0));
}

}  // namespace hamiltree::bindings
