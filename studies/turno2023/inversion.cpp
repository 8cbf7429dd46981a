// Sect. 3 and 4.4: the inverses of small matrices, what they cost and how well they do in float.
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <utility>

#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/math/ldl.hpp"
#include "hamiltree/math/ldup.hpp"
#include "studies/turno2023/sections.hpp"

namespace hamiltree::turno2023 {
namespace {

constexpr int kSmallest = 2, kLargest = 8;
constexpr unsigned kSeed = 2023;
constexpr int kTrials = 1000;

// Sizes of units on the paper's chip (sect. 4.2).
constexpr double kAddLuts = 339, kMultiplyLuts = 47, kMultiplyDsps = 2, kInvertLuts = 1409;

template <class F>
void for_sizes(const F& f) {
  [&]<int... N>(std::integer_sequence<int, N...>) { (f.template operator()<N + kSmallest>(), ...); }
  (std::make_integer_sequence<int, kLargest - kSmallest + 1>());
}

template <int N>
Eigen::Matrix<double, N, N> random_matrix(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Eigen::Matrix<double, N, N>::NullaryExpr([&] { return normal(random); });
}
template <int N>
Eigen::Matrix<Counted, N, N> counted_matrix() {
  std::mt19937_64 random(kSeed);
  return random_matrix<N>(random).template cast<Counted>();
}

template <class F>
OperationCount counted(const F& f) {
  const CountOperations scope;
  f();
  return scope.count();
}

// One step of LDUP: its formula and its count, by size.
struct StepCount {
  std::string step, equation, formula;
  std::function<int(int)> expected;
  std::vector<double> counts;
};

std::vector<StepCount> step_counts() {
  std::vector<StepCount> steps = {
      {"elimination, products",
       "86",
       "(n-1)n(n+1)/3",
       [](int n) { return (n - 1) * n * (n + 1) / 3; },
       {}},
      {"elimination, sums",
       "87",
       "(n-1)n(2n-1)/6",
       [](int n) { return (n - 1) * n * (2 * n - 1) / 6; },
       {}},
      {"U, products", "88", "(n-1)n/2", [](int n) { return (n - 1) * n / 2; }, {}},
      {"inverse of L, products",
       "89",
       "(n-2)(n-1)n/6",
       [](int n) { return (n - 2) * (n - 1) * n / 6; },
       {}},
      {"inverse of L, sums",
       "89",
       "(n-2)(n-1)n/6",
       [](int n) { return (n - 2) * (n - 1) * n / 6; },
       {}},
      {"U^-1 D^-1, products", "90", "(n-1)n/2", [](int n) { return (n - 1) * n / 2; }, {}},
      {"Y, products", "91", "(n-1)n(n+1)/3", [](int n) { return (n - 1) * n * (n + 1) / 3; }, {}},
      {"Y, sums", "92", "(n-1)n(2n-1)/6", [](int n) { return (n - 1) * n * (2 * n - 1) / 6; }, {}},
      {"whole inverse, products",
       "sect. 4.4",
       "(n-1)n(n+1)",
       [](int n) { return (n - 1) * n * (n + 1); },
       {}},
      {"whole inverse, sums",
       "sect. 4.4",
       "(n-1)^2 n",
       [](int n) { return (n - 1) * (n - 1) * n; },
       {}},
      {"whole inverse, reciprocals", "62, 75", "n", [](int n) { return n; }, {}}};
  for_sizes([&]<int N>() {
    using Factors = Ldup<Counted, N>;
    const auto A = counted_matrix<N>();
    const Factors factors(A);
    const auto L_inverse = Factors::invert_unit_lower(factors.lower());
    const auto U = factors.upper();
    const auto elimination = counted([&] { Factors f(A); });
    const auto upper = counted([&] { factors.upper(); });
    const auto triangle = counted([&] { Factors::invert_unit_lower(factors.lower()); });
    const auto scaling = counted([&] { factors.scale_columns(U); });
    const auto product = counted([&] { Factors::product(U, L_inverse); });
    const auto whole = counted([&] { ldup_inverse(A); });
    const std::size_t counts[] = {elimination.multiplications,
                                  elimination.additions,
                                  upper.multiplications,
                                  triangle.multiplications,
                                  triangle.additions,
                                  scaling.multiplications,
                                  product.multiplications,
                                  product.additions,
                                  whole.multiplications,
                                  whole.additions,
                                  whole.divisions};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].counts.push_back(static_cast<double>(counts[i]));
    }
  });
  return steps;
}

bool count_table(Document& document) {
  DataTable table{"ldup_operations",
                  "Operations of the LDUP inverse, counted as it runs, by size n",
                  {{"step", ""}, {"equation", ""}, {"formula", ""}},
                  {}};
  for (int n = kSmallest; n <= kLargest; ++n) {
    table.columns.push_back({"n = " + std::to_string(n), ""});
  }
  table.columns.push_back({"as the formula", ""});
  bool all_equal = true;
  for (const auto& step : step_counts()) {
    std::vector<Cell> row = {step.step, step.equation, step.formula};
    bool equal = true;
    for (std::size_t i = 0; i < step.counts.size(); ++i) {
      row.emplace_back(step.counts[i]);
      equal = equal && step.counts[i] == step.expected(kSmallest + static_cast<int>(i));
    }
    row.emplace_back(equal ? "yes" : "no");
    all_equal = all_equal && equal;
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table));
  return all_equal;
}

double luts(const OperationCount& count) {
  return kAddLuts * static_cast<double>(count.additions) +
         kMultiplyLuts * static_cast<double>(count.multiplications) +
         kInvertLuts * static_cast<double>(count.divisions);
}

std::string text(const OperationCount& count) {
  return std::to_string(count.multiplications) + "/" + std::to_string(count.additions) + "/" +
         std::to_string(count.divisions);
}

void method_table(InversionFindings& found, Document& document) {
  DataTable table{"inverses",
                  "Ways to impulses from a small matrix. LUT and DSP: were every operation a unit "
                  "of its own, of the sizes in sect. 4.2; multiplexers not counted",
                  {{"size", ""},
                   {"way", ""},
                   {"products", ""},
                   {"sums", ""},
                   {"reciprocals", ""},
                   {"LUT", ""},
                   {"DSP", ""}},
                  {}};
  const auto add = [&](int n, const std::string& way, const OperationCount& count) {
    const auto products = static_cast<double>(count.multiplications);
    table.rows.push_back(
        {static_cast<double>(n), way, products, static_cast<double>(count.additions),
         static_cast<double>(count.divisions), luts(count), kMultiplyDsps * products});
  };
  const auto compare = [&]<int N>() {
    const auto A = counted_matrix<N>();
    const Eigen::Matrix<Counted, N, N> S = A * A.transpose();
    const Eigen::Matrix<Counted, N, 1> b = A.col(0);
    const auto adjugate = counted([&] { adjugate_inverse(A); });
    const auto ldup = counted([&] { ldup_inverse(A); });
    const auto product = counted([&] {
      const Eigen::Matrix<Counted, N, 1> x = A * b;
      static_cast<void>(x);
    });
    auto ldup_and_product = ldup;
    ldup_and_product += product;
    add(N, "adjugate", adjugate);
    add(N, "LDUP", ldup);
    add(N, "LDUP, then the product with one vector", ldup_and_product);
    add(N, "L d L^T and one solution, no inverse", counted([&] { Ldl<Counted, N>(S).solve(b); }));
    found.adjugate_against_ldup += (N == 2 ? "" : "; ") + std::to_string(N) + "x" +
                                   std::to_string(N) + ": adjugate " + text(adjugate) + ", LDUP " +
                                   text(ldup);
    if (N == 2) found.adjugate_cheaper_at_2 = adjugate.total() < ldup.total();
    if (N == 4) found.adjugate_dearer_at_4 = adjugate.flops() > ldup.flops();
  };
  compare.template operator()<2>();
  compare.template operator()<3>();
  compare.template operator()<4>();
  document.table(std::move(table));
}

// Worst error of an inverse in float, in units of what the condition of the matrix makes of one
// rounding: |X - A^-1| / (eps |A^-1|^2 |A|).
template <int N, class F>
double worst_error(const F& invert) {
  std::mt19937_64 random(kSeed);
  double worst = 0.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Eigen::Matrix<float, N, N> single = random_matrix<N>(random).template cast<float>();
    const Eigen::Matrix<double, N, N> A = single.template cast<double>();
    const Eigen::Matrix<double, N, N> exact = pivoted_qr(A).solve(Eigen::MatrixXd::Identity(N, N));
    const Eigen::Matrix<double, N, N> X = invert(single).template cast<double>();
    const double rounding = std::numeric_limits<float>::epsilon() * exact.squaredNorm() * A.norm();
    worst = std::max(worst, (X - exact).norm() / rounding);
  }
  return worst;
}

void accuracy_table(InversionFindings& found, Document& document) {
  DataTable table{"inverse_errors",
                  "Worst error in float over " + std::to_string(kTrials) +
                      " random matrices (seed " + std::to_string(kSeed) +
                      "), in roundings times the condition of the matrix",
                  {{"size", ""}, {"LDUP", ""}, {"adjugate", ""}},
                  {}};
  for_sizes([&]<int N>() {
    const double ldup = worst_error<N>([](const auto& A) { return ldup_inverse(A); });
    std::vector<Cell> row = {static_cast<double>(N), ldup, ""};
    if constexpr (N <= 4) {
      row[2] = worst_error<N>([](const auto& A) { return adjugate_inverse(A); });
    }
    found.worst_error = std::max(found.worst_error, ldup);
    table.rows.push_back(std::move(row));
  });
  document.table(std::move(table));
}

}  // namespace

InversionFindings inversion_section(Document& document) {
  InversionFindings found;
  document.heading("Inverses of small matrices");
  document.paragraph(
      "Both inverses run here on a scalar that counts (`math/ldup.hpp`, `math/adjugate.hpp`). A "
      "division by a pivot is one reciprocal and products; changes of sign and exchanges of rows "
      "are free.");
  found.formulas_hold = count_table(document);
  const auto four = counted([] { ldup_inverse(counted_matrix<4>()); });
  found.multiplications_4 = static_cast<int>(four.multiplications);
  found.additions_4 = static_cast<int>(four.additions);
  found.divisions_4 = static_cast<int>(four.divisions);
  method_table(found, document);
  accuracy_table(found, document);
  return found;
}

}  // namespace hamiltree::turno2023
