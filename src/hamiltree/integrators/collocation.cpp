#include "hamiltree/integrators/collocation.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstddef>

namespace hamiltree {
namespace {

NodeVector gauss_nodes(int stages) {
  NodeVector c(stages);
  if (stages == 1) c << 0.5;
  if (stages == 2) c << 0.5 - std::sqrt(3.0) / 6.0, 0.5 + std::sqrt(3.0) / 6.0;
  if (stages == 3) c << 0.5 - std::sqrt(15.0) / 10.0, 0.5, 0.5 + std::sqrt(15.0) / 10.0;
  return c;
}

NodeVector lobatto_nodes(int stages) {
  NodeVector ct(stages + 1);
  if (stages == 1) ct << 0.0, 1.0;
  if (stages == 2) ct << 0.0, 0.5, 1.0;
  if (stages == 3) ct << 0.0, 0.5 - std::sqrt(5.0) / 10.0, 0.5 + std::sqrt(5.0) / 10.0, 1.0;
  return ct;
}

// Integrals from 0 to x of the Lagrange polynomials of the nodes: exact by Gauss's rule with three
// nodes up to degree 5.
NodeVector integrals(const NodeVector& nodes, double x) {
  const auto points = gauss_nodes(3);
  const std::array<double, 3> weights{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  NodeVector sum = NodeVector::Zero(nodes.size());
  for (int k = 0; k < 3; ++k) {
    sum += x * weights[static_cast<std::size_t>(k)] * lagrange(nodes, x * points(k));
  }
  return sum;
}

Collocation make_collocation(int stages) {
  Collocation m;
  m.c = gauss_nodes(stages);
  m.ct = lobatto_nodes(stages);
  m.b = integrals(m.c, 1.0);
  m.bt = integrals(m.ct, 1.0);
  m.a.resize(stages, stages);
  m.ab.resize(stages + 1, stages);
  for (int i = 0; i < stages; ++i) m.a.row(i) = integrals(m.c, m.c(i));
  for (int i = 0; i <= stages; ++i) m.ab.row(i) = integrals(m.c, m.ct(i));
  m.at.resize(stages, stages + 1);
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) m.at(i, j) = m.bt(j) * (1.0 - m.ab(j, i) / m.b(i));
    m.at(i, stages) = 0.0;  // exactly: ab_si = b_i
  }
  m.Z_inverse = (m.ab.bottomRows(stages) * m.at.leftCols(stages)).inverse();
  return m;
}

}  // namespace

const Collocation& collocation(int stages) {
  static const std::array<Collocation, kMaxStages> methods{make_collocation(1), make_collocation(2),
                                                           make_collocation(3)};
  return methods[static_cast<std::size_t>(stages - 1)];
}

NodeVector lagrange(const NodeVector& nodes, double x) {
  NodeVector values = NodeVector::Ones(nodes.size());
  for (Eigen::Index j = 0; j < nodes.size(); ++j) {
    for (Eigen::Index k = 0; k < nodes.size(); ++k) {
      if (k != j) values(j) *= (x - nodes(k)) / (nodes(j) - nodes(k));
    }
  }
  return values;
}

}  // namespace hamiltree
