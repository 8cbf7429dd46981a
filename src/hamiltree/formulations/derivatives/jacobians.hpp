// Jacobians of the rates of a Model.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>

#include "hamiltree/formulations/derivatives/pack_matrix.hpp"

namespace hamiltree {

namespace derivatives {

// One column for each direction; rows are contiguous. An empty one is zero.
using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The same of which the rows lie in a larger matrix.
using ColumnsView = Eigen::Map<const Columns, Eigen::Unaligned, Eigen::OuterStride<>>;

inline Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace derivatives

using derivatives::Columns;

struct RateDerivatives {
  Columns v, q_dot, p_dot, sigma;
};

// d(row)/d(column) of the rates; time is one column. Parts are views of what Derivatives has left
// here as it was computed: in packs by the closed form, or in columns by sweeps.
class Jacobians {
 public:
  using View = derivatives::ColumnsView;
  struct Part {
    View v{nullptr, 0, 0, {0}}, q_dot{v}, p_dot{v}, sigma{v};
  };
  // By unknown and column: those of q, padded to packs, then those of p. Without q_dot its rows are
  // those of v.
  struct Packs {
    derivatives::PackMatrix unknowns, q_dot, p_dot;
    int first_of_sigma = 0, first_of_p = 0;
  };

  Jacobians() = default;
  Jacobians(const Jacobians&) = delete;
  Jacobians& operator=(const Jacobians&) = delete;
  Jacobians(Jacobians&&) = default;
  Jacobians& operator=(Jacobians&&) = delete;

  Part q, p, t;

  Packs packs;
  RateDerivatives by_time, all;  // `all`: columns of q, p and time side by side

  void show_packs() {
    const int stride = kernel::kLaneCount * packs.unknowns.packs;
    const auto n = by_time.q_dot.rows(), m = by_time.v.rows();
    const auto show = [&](Part& part, int column, Eigen::Index count) {
      const auto one = [&](View& view, const derivatives::PackMatrix& from, int row,
                           Eigen::Index rows) {
        std::construct_at(&view, from.entries(row) + column, rows, count,
                          Eigen::OuterStride<>(stride));
      };
      one(part.v, packs.unknowns, 0, m);
      one(part.q_dot, packs.q_dot.data.empty() ? packs.unknowns : packs.q_dot, 0, n);
      one(part.p_dot, packs.p_dot, 0, m);
      one(part.sigma, packs.unknowns, packs.first_of_sigma, by_time.sigma.rows());
    };
    show(q, 0, n);
    show(p, packs.first_of_p, m);
    show_columns(t, by_time, 0, 1);
  }
  void show_all() {
    const auto n = all.q_dot.rows(), m = all.v.rows();
    show_columns(q, all, 0, n);
    show_columns(p, all, n, m);
    show_columns(t, all, n + m, 1);
  }

 private:
  static void show_columns(Part& part, const RateDerivatives& from, Eigen::Index first,
                           Eigen::Index count) {
    const auto one = [&](View& view, const Columns& columns) {
      const double* data = columns.size() > 0 ? columns.data() + first : nullptr;
      std::construct_at(&view, data, columns.rows(), count, Eigen::OuterStride<>(columns.cols()));
    };
    one(part.v, from.v);
    one(part.q_dot, from.q_dot);
    one(part.p_dot, from.p_dot);
    one(part.sigma, from.sigma);
  }
};

}  // namespace hamiltree
