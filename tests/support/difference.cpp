#include "support/random_space.hpp"

namespace hamiltree::test {

double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.size() == 0) return 0.0;
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace hamiltree::test
