// Which rows some joints can move independently of one another.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace hamiltree::kernel {

// By row: how fast each velocity opens it, rows and velocities made comparable.
using Opening = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// As many of the rows `wanted` as are independent of those `given` and of one another, when only
// these velocities (columns) move; the most independent first. A row of which less than a thirtieth
// is its own is not.
std::vector<int> independent_rows(const Opening& opening, const std::vector<int>& velocities,
                                  const std::vector<int>& given, const std::vector<int>& wanted);

}  // namespace hamiltree::kernel
