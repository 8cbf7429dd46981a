// Equations of the paper that cannot be used as they are printed, shown by numbers.
#include <algorithm>
#include <random>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/ldup.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "studies/mechanisms.hpp"
#include "studies/turno2023/motion.hpp"
#include "studies/turno2023/published.hpp"
#include "studies/turno2023/sections.hpp"

namespace hamiltree::turno2023 {
namespace {

constexpr double kTime = 0.5;  // s: the linkage moves

// The moving links of the four-bar linkage, from crank to rocker, at a state.
std::vector<published::Link> links_of(const System<Planar<double>>& system, const Motion& motion) {
  Kinematics<Planar<double>> kin(system);
  const Eigen::VectorXd& p = motion.p.back();
  place(system, motion.t.back(), motion.q.back().data(), kin);
  std::vector<published::Link> links;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& body = system.body(b);
    const bool is_last = b + 1 == system.body_count();
    published::Link link;
    link.mass = body.mass;
    link.inertia = body.J_com(0, 0);
    link.O1 = kin.origin(b);
    link.O2 = kin.origin(b + 1);
    link.C = kin.pose(b) * body.com;
    link.p1 = p(b);
    link.p2 = is_last ? 0.0 : p(b + 1);
    links.push_back(link);
  }
  return links;
}

void try_signs(MisprintFindings& found) {
  const Model model(studies::shipped("four_bar"));
  const auto motion = reference(model, kTime, kTime);
  model.visit([&]<class Space>(const System<Space>& system) {
    if constexpr (Space::kIsPlanar) {
      const auto links = links_of(system, motion);
      const auto right = published::velocities(links, published::Base::kRight);
      for (int j = 0; j < model.velocity_count(); ++j) {
        found.rates_off =
            std::max(found.rates_off, std::abs(right.joints[at(j)] - motion.v.back()(j)));
      }
      found.slip_right = right.slip;
      found.slip_42 = published::velocities(links, published::Base::kEquation42).slip;
      found.slip_94 = published::velocities(links, published::Base::kEquation94).slip;
    }
  });
}

void try_bias(MisprintFindings& found) {
  const published::Link link{0.5, 0.00375, {0.0, 0.0}, {0.2, 0.1}, {0.1, 0.05}, 0.3, -0.2};
  const auto difference = [&](const published::Vector3& H) {
    const auto printed = published::leaf(link, H, published::Bias::kAsPrinted).xi_20;
    const auto shifted = published::leaf(link, H, published::Bias::kShifted).xi_20;
    return (printed - shifted).norm() / shifted.norm();
  };
  found.bias_pin = difference({0.0, 0.0, 1.0});
  found.bias_slider = difference({1.0, 0.0, 0.0});
}

// Rows of X counted as eq. 78 does, in the sums of eq. 81.
Eigen::Matrix4d product_as_printed(const Eigen::Matrix4d& B, const Eigen::Matrix4d& X) {
  Eigen::Matrix4d Y;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      Y(i, j) = i > j ? 0.0 : B(i, j);
      for (int k = i > j ? i : j + 1; k < 4; ++k) Y(i, j) += B(i, k) * X(k - 1, j);
    }
  }
  return Y;
}

void try_factors(MisprintFindings& found) {
  // Its rows are in order, so that P is the identity.
  Eigen::Matrix4d A;
  A << 8.0, 1.0, -2.0, 3.0, 1.0, 7.0, 2.0, -1.0, 3.0, -2.0, 9.0, 1.0, -2.0, 3.0, 1.0, 6.0;
  const Ldup<double, 4> factors(A);
  const Eigen::Matrix4d U = factors.upper(), L = factors.lower();
  const Eigen::Matrix4d B = factors.scale_columns(U.inverse());
  const Eigen::Matrix4d X = Ldup<double, 4>::invert_unit_lower(L);
  const auto off = [](const Eigen::Matrix4d& E) { return E.cwiseAbs().maxCoeff(); };
  found.product_as_printed = off(product_as_printed(B, X) * A - Eigen::Matrix4d::Identity());
  found.product_right = off(Ldup<double, 4>::product(B, X) * A - Eigen::Matrix4d::Identity());
  const Eigen::Matrix4d eliminated = factors.inverse_diagonal().cwiseInverse().asDiagonal() * U;
  found.factors_as_printed = off(A - eliminated * L);
  found.factors_right = off(A - L * eliminated);
}

}  // namespace

MisprintFindings misprint_section(Document& document) {
  MisprintFindings found;
  try_signs(found);
  try_bias(found);
  try_factors(found);
  document.heading("Equations that need care");
  document.table(
      {"misprints",
       "Equations as printed and as they have to be, tried by numbers",
       {{"equation", ""},
        {"as it has to be", ""},
        {"what is measured", ""},
        {"as printed", ""},
        {"corrected", ""}},
       {{"42: (s1; -s2) = eta^-1 D^T (xi_10; -xi_20)", "(s1; -s2) = -eta^-1 D^T (xi_10; xi_20)",
         "velocity of the four-bar's ends at the ground at 0.5 s, m/s", found.slip_42,
         found.slip_right},
        {"94, 95: (s1; -s2) = -eta^-1 D^T (xi_10; -xi_20)", "the same", "the same", found.slip_94,
         found.slip_right},
        {"18: xi_20 = xi_22 (p1 H - p2 S_12 H)", "xi_22 (p1 S_21 H - p2 H)",
         "relative change of xi_20, pins", found.bias_pin, 0.0},
        {"18, for any other joint", "the same", "relative change of xi_20, sliders",
         found.bias_slider, 0.0},
        {"74: P A = A_(n-1) L", "P A = L A_(n-1)", "largest entry of the difference, 4x4",
         found.factors_as_printed, found.factors_right},
        {"81, with the rows of L^-1 as in eq. 78", "rows counted from the second one",
         "largest entry of Y P A - 1, 4x4", found.product_as_printed, found.product_right}}});
  return found;
}

}  // namespace hamiltree::turno2023
