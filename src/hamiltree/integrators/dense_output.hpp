// Dense output: a polynomial through one step of an explicit pair, of the order of its method.
// With theta = (t - t_0) / h, y_0, y_1 and the rates f_0, f_1 at both ends
//
//   (1)  y(theta) = y_0 + theta D + theta (1-theta) (B + theta C)
//                   + theta^2 (1-theta)^2 (a + b (theta - 1/2))
//        D = y_1 - y_0      B = h f_0 - D      C = D - h f_1 - B
//
// a = b = 0 is Hermite's cubic, of order 3. For Dormand-Prince a = h sum d_i k_i gives order 4
// [Hairer1993, sect. II.6]. Order 5 takes two more rates, g_1 and g_2, at Gauss's nodes
// theta = 1/2 -+ sqrt(3)/6 of the polynomial of order 4:
//
//   (2)  a = (3 sqrt(3)/2) h (g_1 - g_2) - 3 B - 3/2 C      b = -18 (h (g_1 + g_2) - 2 D)
#pragma once

#include <Eigen/Core>

namespace hamiltree {

class DenseOutput {
 public:
  // Order 3, of the step from t to t + h (s); the arrays have `size` entries.
  void set(double t, double h, int size, const double* y_0, const double* f_0, const double* y_1,
           const double* f_1);
  // Order 4, by a.
  void raise(const Eigen::ArrayXd& a);
  // Order 5, by the rates at the two nodes.
  void raise(const Eigen::ArrayXd& g_1, const Eigen::ArrayXd& g_2);

  double t() const { return t_; }
  double h() const { return h_; }
  double first_node() const;   // s
  double second_node() const;  // s

  // y at t, in s.
  void at(double t, double* y) const;

 private:
  double t_ = 0.0, h_ = 0.0;
  Eigen::ArrayXd y_0_, D_, B_, C_, a_, b_;
};

}  // namespace hamiltree
