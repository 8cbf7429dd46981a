// The coefficients of SPARK methods: stages at Gauss's nodes, loops closed at Lobatto's.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

inline constexpr int kMaxStages = 3;

// One number for each stage or node, and a matrix of them: on the stack.
using NodeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxStages + 1, 1>;
using NodeMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxStages + 1, kMaxStages + 1>;

// With the Lagrange polynomials l_j of Gauss's nodes c_1..c_s and of Lobatto's nodes ct_0..ct_s,
// weights b and bt:
//   a_ij  = integral of l_j from 0 to c_i           the Gauss method
//   ab_ij = integral of l_j from 0 to ct_i          coordinates at Lobatto's nodes
//   at_ij = bt_j (1 - ab_ji / b_i)                  impulses at Lobatto's nodes felt by stage i
//   Z_ij  = sum_l ab_(i+1)l at_lj                   (s x s) how impulses j move node i + 1
struct Collocation {
  NodeVector c, b;    // s
  NodeVector ct, bt;  // s + 1
  NodeMatrix a;       // s x s
  NodeMatrix ab;      // s + 1 x s
  NodeMatrix at;      // s x s + 1, last column 0
  NodeMatrix Z_inverse;
};

// Throws nothing; 1 <= stages <= kMaxStages.
const Collocation& collocation(int stages);

// The values at x of the Lagrange polynomials of the nodes.
NodeVector lagrange(const NodeVector& nodes, double x);

}  // namespace hamiltree
