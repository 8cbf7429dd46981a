// StoredWork: the work of drives that stands in the momenta, at the state where it was last found.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>

namespace hamiltree {

class StoredWork {
 public:
  void forget() { known_ = false; }

  // J, at y of `size` entries. Allocates nothing but the first time.
  void keep(double t, const double* y, int size, double work) {
    known_ = true;
    t_ = t;
    y_ = Eigen::Map<const Eigen::VectorXd>(y, size);
    work_ = work;
  }
  // None where it was found at another state.
  std::optional<double> at(double t, const double* y) const {
    if (!known_ || t != t_ || !std::equal(y_.begin(), y_.end(), y)) return {};
    return work_;
  }

 private:
  bool known_ = false;
  double t_ = 0.0;  // s
  Eigen::VectorXd y_;
  double work_ = 0.0;
};

}  // namespace hamiltree
