// KnownState: the state at which something was computed last, for whoever comes back to it.
#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace hamiltree {

class KnownState {
 public:
  void forget() { known_ = false; }
  // y has `size` entries. Allocates nothing but the first time.
  void keep(double t, const double* y, int size) {
    known_ = true;
    t_ = t;
    y_ = Eigen::Map<const Eigen::VectorXd>(y, size);
  }
  // An entry of y is another number now, of which what is known does not depend.
  void change(double t, int entry, double value) {
    if (known_ && t == t_) y_(entry) = value;
  }
  bool is(double t, const double* y) const {
    return known_ && t == t_ && std::equal(y_.begin(), y_.end(), y);
  }

 private:
  bool known_ = false;
  double t_ = 0.0;  // s
  Eigen::VectorXd y_;
};

}  // namespace hamiltree
