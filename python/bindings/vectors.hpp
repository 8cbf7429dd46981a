// Numbers as people write them: two or three of them for a point, one or three for a turn.
#pragma once

#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::bindings {

// Throws UsageError: what is expected, and what was given in its place.
[[noreturn]] void refuse(const char* expected, const pybind11::handle& got);

// A number of Python or NumPy, or an array of a single one; anything else is none.
std::optional<double> number_of(const pybind11::handle& x);
std::vector<double> numbers_of(const pybind11::handle& numbers);

// (x, y) or (x, y, z).
Eigen::Vector3d position_of(const pybind11::handle& numbers);
// A number about z, or (x, y, z).
Eigen::Vector3d turn_of(const pybind11::handle& numbers);
// Three rows of three numbers.
Eigen::Matrix3d matrix_of(const pybind11::handle& rows);
// For a planar body one number; in space [xx, yy, zz, xy, xz, yz], or a matrix (3, 3).
Eigen::Matrix3d inertia_of(const pybind11::handle& inertia);
// A Frame, a position, or None.
Frame frame_of(const pybind11::handle& frame);
// A function of time, or a number: a constant.
TimeFunction function_of(const pybind11::handle& function);
std::optional<TimeFunction> optional_function_of(const pybind11::handle& function);
// One number, several, or None.
std::optional<Eigen::VectorXd> optional_numbers_of(const pybind11::handle& numbers);

}  // namespace hamiltree::bindings
