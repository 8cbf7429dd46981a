#include "hamiltree/integrators/dense_output.hpp"

#include <numbers>

namespace hamiltree {
namespace {

constexpr double kNode = std::numbers::sqrt3 / 6.0;  // of Gauss, from the middle

}  // namespace

void DenseOutput::set(double t, double h, int size, const double* y_0, const double* f_0,
                      const double* y_1, const double* f_1) {
  using Entries = Eigen::Map<const Eigen::ArrayXd>;
  t_ = t;
  h_ = h;
  y_0_ = Entries(y_0, size);
  D_ = Entries(y_1, size) - y_0_;
  B_ = h * Entries(f_0, size) - D_;
  C_ = D_ - h * Entries(f_1, size) - B_;
  a_.setZero(size);
  b_.setZero(size);
}

void DenseOutput::raise(const Eigen::ArrayXd& a) { a_ = a; }

void DenseOutput::raise(const Eigen::ArrayXd& g_1, const Eigen::ArrayXd& g_2) {
  a_ = 1.5 * std::numbers::sqrt3 * h_ * (g_1 - g_2) - 3.0 * B_ - 1.5 * C_;
  b_ = -18.0 * (h_ * (g_1 + g_2) - 2.0 * D_);
}

double DenseOutput::first_node() const { return t_ + (0.5 - kNode) * h_; }
double DenseOutput::second_node() const { return t_ + (0.5 + kNode) * h_; }

void DenseOutput::at(double t, double* y) const {
  const double x = (t - t_) / h_;
  const double r = x * (1.0 - x);
  Eigen::Map<Eigen::ArrayXd>(y, y_0_.size()) =
      y_0_ + x * D_ + r * (B_ + x * C_) + (r * r) * (a_ + (x - 0.5) * b_);
}

}  // namespace hamiltree
