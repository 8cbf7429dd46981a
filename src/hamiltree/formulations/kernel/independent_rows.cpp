#include "hamiltree/formulations/kernel/independent_rows.hpp"

#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

constexpr double kOwnPart = 1.0 / 30.0;

// Takes from every row its part along the i-th, which becomes a unit vector.
void take_out(std::vector<Eigen::RowVectorXd>& rows, std::size_t i) {
  const Eigen::RowVectorXd along = rows[i].normalized();
  for (auto& row : rows) row -= row.dot(along) * along;
}

}  // namespace

std::vector<int> independent_rows(const Opening& opening, const std::vector<int>& velocities,
                                  const std::vector<int>& given, const std::vector<int>& wanted) {
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> size;
  for (const auto* list : {&wanted, &given}) {
    for (const int row : *list) {
      Eigen::RowVectorXd part(velocities.size());
      for (std::size_t k = 0; k < velocities.size(); ++k)
        part(static_cast<Eigen::Index>(k)) = opening.coeff(row, velocities[k]);
      rows.push_back(part);
      size.push_back(opening.row(row).norm());
    }
  }
  // The one of a range that keeps the largest part of itself, if that is enough.
  const auto best = [&](std::size_t from, std::size_t to) {
    std::size_t found = rows.size();
    double largest = kOwnPart;
    for (std::size_t i = from; i < to; ++i) {
      const double part = size[i] > 0.0 ? rows[i].norm() / size[i] : 0.0;
      if (part > largest) {
        largest = part;
        found = i;
      }
    }
    return found;
  };
  for (auto i = best(wanted.size(), rows.size()); i < rows.size();
       i = best(wanted.size(), rows.size()))
    take_out(rows, i);
  std::vector<int> independent;
  for (auto i = best(0, wanted.size()); i < rows.size(); i = best(0, wanted.size())) {
    independent.push_back(wanted[i]);
    take_out(rows, i);
  }
  return independent;
}

}  // namespace hamiltree::kernel
