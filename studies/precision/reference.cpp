#include "studies/precision/reference.hpp"

namespace hamiltree::studies::round_off {

std::unique_ptr<Reference> make_reference(const Model& model, const ChainOptions& options) {
  return model.visit([&](const auto& system) { return make_reference(model, system, options); });
}

double relative_error(const QuadVector& x, const QuadVector& exact) {
  return to_double((x - exact).norm() / exact.norm());
}

double relative_error(const Eigen::VectorXd& x, const QuadVector& exact) {
  return relative_error(widened(x), exact);
}

Eigen::VectorXd rounded(const QuadVector& x) {
  return x.unaryExpr([](const Quad& value) { return to_double(value); });
}

QuadVector widened(const Eigen::VectorXd& x) { return x.cast<Quad>(); }

}  // namespace hamiltree::studies::round_off
