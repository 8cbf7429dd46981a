// The principal axes of a body, for engines that put its frame there.
#pragma once

#include <Eigen/Eigenvalues>

#include "engine.hpp"

namespace hamiltree::benchmarks {

struct Principal {
  Eigen::Matrix3d R;             // the axes as columns, right-handed, in the body's frame
  Eigen::Vector3d com, inertia;  // m; kg m^2, about these axes

  explicit Principal(const EngineBody& body) : com(body.com.data()) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(
        Eigen::Matrix3d::Map(body.inertia.data()));
    inertia = solver.eigenvalues();
    R = solver.eigenvectors();
    if (R.determinant() < 0.0) R.col(2) *= -1.0;
  }

  std::array<double, 9> rows() const {
    std::array<double, 9> result{};
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(result.data()) = R;
    return result;
  }
};

}  // namespace hamiltree::benchmarks
