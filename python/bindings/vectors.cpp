#include "vectors.hpp"

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "hamiltree/base/error.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {

void refuse(const char* expected, const py::handle& got) {
  throw UsageError(std::string(expected) + ", not " + py::repr(got).cast<std::string>());
}

std::vector<double> numbers_of(const py::handle& numbers) {
  const auto array = Array::ensure(numbers);
  if (!array || array.ndim() > 1) {
    PyErr_Clear();
    refuse("numbers are needed", numbers);
  }
  return {array.data(), array.data() + array.size()};
}

Eigen::Vector3d position_of(const py::handle& numbers) {
  const auto x = numbers_of(numbers);
  if (x.size() != 2 && x.size() != 3) refuse("two or three numbers are needed", numbers);
  return {x[0], x[1], x.size() == 3 ? x[2] : 0.0};
}

Eigen::Vector3d turn_of(const py::handle& numbers) {
  const auto x = numbers_of(numbers);
  if (x.size() == 1) return {0.0, 0.0, x[0]};
  if (x.size() != 3) refuse("one or three numbers are needed", numbers);
  return {x[0], x[1], x[2]};
}

Eigen::Matrix3d matrix_of(const py::handle& rows) {
  const auto array = Array::ensure(rows);
  if (!array || array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3) {
    PyErr_Clear();
    refuse("a matrix (3, 3) is needed", rows);
  }
  return Eigen::Map<const Eigen::Matrix3d>(array.data()).transpose();
}

Eigen::Matrix3d inertia_of(const py::handle& inertia) {
  const auto array = Array::ensure(inertia);
  if (array && array.ndim() == 2) return matrix_of(inertia);
  const auto x = numbers_of(inertia);
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  if (x.size() == 1) {
    I(2, 2) = x[0];
  } else if (x.size() == 3) {
    I.diagonal() << x[0], x[1], x[2];
  } else if (x.size() == 6) {
    I << x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2];
  } else {
    refuse("one, three or six numbers, or a matrix, are needed", inertia);
  }
  return I;
}

Frame frame_of(const py::handle& frame) {
  if (frame.is_none()) return {};
  if (py::isinstance<Frame>(frame)) return frame.cast<Frame>();
  return {position_of(frame)};
}

std::optional<double> number_of(const py::handle& x) {
  if (py::isinstance<py::array>(x)) {
    if (py::reinterpret_borrow<py::array>(x).size() != 1) return std::nullopt;
    return number_of(x.attr("item")());
  }
  const double number = PyFloat_AsDouble(x.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  return std::nullopt;
}

TimeFunction function_of(const py::handle& function) {
  if (const auto number = number_of(function)) return Polynomial{{*number}};
  try {
    if (!function.is_none()) return function.cast<TimeFunction>();
  } catch (const py::cast_error&) {
  }
  refuse("a number, Polynomial, Sine, SmoothStep or Table is needed", function);
}

std::optional<TimeFunction> optional_function_of(const py::handle& function) {
  if (function.is_none()) return std::nullopt;
  return function_of(function);
}

std::optional<Eigen::VectorXd> optional_numbers_of(const py::handle& numbers) {
  if (numbers.is_none()) return std::nullopt;
  const auto x = numbers_of(numbers);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

}  // namespace hamiltree::bindings
