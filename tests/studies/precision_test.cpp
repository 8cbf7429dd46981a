// The study `precision`: its quadruple reference against other ways to the same numbers, and its
// bars where it is quick.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <string>
#include <variant>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "studies/document_parts.hpp"
#include "studies/power_law.hpp"
#include "studies/precision/evaluation.hpp"
#include "studies/precision/reference.hpp"
#include "studies/precision/report.hpp"
#include "studies/precision/segments.hpp"
#include "studies/precision/spectrum.hpp"
#include "studies/precision/trajectory.hpp"

namespace hamiltree::studies::round_off {
namespace {

const ChainOptions kChains[] = {{SpaceKind::kPlanar, 12, 0},
                                {SpaceKind::kPlanar, 12, 4},
                                {SpaceKind::kSpatial, 12, 0},
                                {SpaceKind::kSpatial, 12, 4}};

std::string name(const ChainOptions& options) {
  return to_text(options.space, Shape::kStraight) + ", m = " + std::to_string(options.segment);
}

Eigen::VectorXd vector(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// The momenta of a motion lead back to it: to and fro share no code but the kinematics.
TEST(Precision, ReferenceReturnsToTheMotion) {
  for (const auto& options : kChains) {
    SCOPED_TRACE(name(options));
    const auto reference = make_reference(Model(chain(options)), options);
    const auto pins = random_pins(Shape::kFolded, options.bodies, 3);
    const auto state = reference->state(pins);
    reference->prepare(rounded(state.q));
    const auto found = reference->rates(state.q, reference->momenta(state.q, state.v));
    EXPECT_LE(relative_error(found.v, state.v), 1e-30);  // measured: 1e-31 at most
    // All pins, those of the cuts included, turn as those of the plain chain do.
    EXPECT_LE(relative_error(reference->pin_rates(state.q, found.v), widened(pins.rates)), 1e-30);
  }
}

TEST(Precision, ReferenceAgreesWithDense) {
  for (const auto& options : kChains) {
    SCOPED_TRACE(name(options));
    const Model model(chain(options));
    const auto reference = make_reference(model, options);
    const auto exact = reference->state(random_pins(Shape::kFolded, options.bodies, 4));
    const Eigen::VectorXd q = rounded(exact.q);
    const Eigen::VectorXd p = rounded(reference->momenta(exact.q, exact.v));
    reference->prepare(q);

    const auto dense = make_formulation("dense", model);
    const auto workspace = dense->make_workspace();
    const StateView state{0.0, q.data(), p.data()};
    dense->analyse(state, *workspace);
    ASSERT_EQ(dense->rate(state, *workspace), Status::kOk);
    const auto rates = reference->rates(widened(q), widened(p));
    // Measured: 6e-15 at most.
    EXPECT_LE(relative_error(vector(workspace->v), rates.v), 1e-13);
    EXPECT_LE(relative_error(vector(workspace->u_dot), rates.p_dot), 1e-13);

    ASSERT_EQ(dense->accelerations(state, *workspace), Status::kOk);
    EXPECT_LE(
        relative_error(vector(workspace->v_dot), reference->accelerations(widened(q), rates.v)),
        1e-13);
  }
}

TEST(Precision, SpectrumIsThatOfTheMassMatrix) {
  const ChainOptions options{SpaceKind::kPlanar, 10, 0};
  const Model model(chain(options));
  const auto reference = make_reference(model, options);
  const auto pins = random_pins(Shape::kStraight, options.bodies, 5);
  Eigen::MatrixXd M(options.bodies, options.bodies);
  for (int k = 0; k < options.bodies; ++k) {
    M.col(k) = rounded(reference->momenta(widened(pins.angles),
                                          widened(Eigen::VectorXd::Unit(options.bodies, k))));
  }
  const Eigen::VectorXd values = symmetric_eigen(M).values;
  const auto found = spectrum(model, pins.angles);
  EXPECT_NEAR(found.mass, values(options.bodies - 1), 0.01 * found.mass);
  EXPECT_NEAR(found.mobility, 1.0 / values(0), 0.1 / values(0));  // an estimate from below
  EXPECT_LE(found.mobility, 1.0001 / values(0));
}

TEST(Precision, RandomMomentaKeepTheirDigitsAndThoseOfAMotionDoNot) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const auto random = evaluate(space, Shape::kStraight, Momenta::kRandom, 64, 1);
    const auto motion = evaluate(space, Shape::kStraight, Momenta::kMotion, 64, 1);
    EXPECT_LE(motion.reference, 1e-25);
    for (std::size_t i = 0; i < kMomentumForms.size(); ++i) {
      SCOPED_TRACE(kMomentumForms[i]);
      EXPECT_LE(random.momentum_form[i].motion, 1e-13);
      EXPECT_GE(motion.momentum_form[i].motion, 1e-12);
      EXPECT_LE(motion.momentum_form[i].motion, 10.0 * motion.unavoidable);
    }
    // It is the state: rounding p loses as much, and no more than can be promised.
    EXPECT_GE(motion.rounded_p, 1e-12);
    EXPECT_LE(motion.rounded_p, motion.unavoidable);
    for (const auto& form : motion.velocity_form) EXPECT_LE(form.motion, 1e-13);
  }
}

TEST(Precision, FloatingSegmentsKeepMoreDigits) {
  const auto plain = evaluate_segments({SpaceKind::kPlanar, 64, 0}, Shape::kStraight, 1);
  const auto cut = evaluate_segments({SpaceKind::kPlanar, 64, 8}, Shape::kStraight, 1);
  for (std::size_t i = 0; i < kSegmentForms.size(); ++i) {
    SCOPED_TRACE(kSegmentForms[i]);
    EXPECT_LE(cut.form[i].all, 0.1 * plain.form[i].all);
  }
}

TEST(Precision, FloatingSegmentsMoveAsTheChainDoes) {
  const auto pins = random_pins(Shape::kFolded, 16, 2);
  const auto exact = integrate({{SpaceKind::kPlanar, 16, 0}, pins, "aba", 1e-11, 0.2});
  for (const std::string formulation : {"hdca", "recursive"}) {
    SCOPED_TRACE(formulation);
    const auto found = integrate({{SpaceKind::kPlanar, 16, 4}, pins, formulation, 1e-9, 0.2});
    ASSERT_FALSE(found.failed()) << found.failure;
    const auto error = end_error(found, exact);
    EXPECT_LE(error.rates, 1e-6);
    EXPECT_LE(error.position, 1e-6);
    EXPECT_LE(found.position_drift, 1e-12);
    EXPECT_GT(found.gap_before, 0.0);
  }
}

TEST(Precision, GrowthExponents) {
  std::vector<double> x, y;
  for (double n = 4.0; n < 100.0; n *= 2.0) {
    x.push_back(n);
    y.push_back(1e-12 * std::pow(n, 3.5));
  }
  EXPECT_NEAR(studies::fit_power_law(x, y).exponent, 3.5, 1e-12);
}

TEST(Precision, QuickStudyIsWhole) {
  StudyOptions options;
  options.quick = true;
  const Document document = studies::precision(options);
  test::expect_well_formed(document);
  int bars = 0;
  for (const auto& block : document.blocks) {
    const auto* found = std::get_if<std::vector<Statement>>(&block);
    if (found == nullptr) continue;
    EXPECT_GE(found->size(), 12U);
    for (const auto& statement : *found) {
      EXPECT_FALSE(statement.evidence.empty()) << statement.text;
      const bool bar = statement.text.starts_with("Random p") ||
                       statement.text.ends_with("of recursive within 10 times the unavoidable");
      if (!bar) continue;
      ++bars;
      EXPECT_EQ(statement.judgement, Judgement::kHolds) << statement.evidence;
    }
  }
  EXPECT_EQ(bars, 4);
  // One curve for each formulation, the unavoidable and what rounding costs.
  EXPECT_EQ(test::figure(document, "errors_motion_spatial_straight").curves.size(), 7U);
  EXPECT_EQ(test::table(document, "growth").rows.size(), 4U);
}

}  // namespace
}  // namespace hamiltree::studies::round_off
