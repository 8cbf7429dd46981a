// hamiltree-lab study turno2023: the planar mechanisms of [Turno2023] in single precision, and its
// inverses of small matrices.
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "studies/study.hpp"
#include "studies/turno2023/motion.hpp"
#include "studies/turno2023/sections.hpp"

namespace hamiltree::studies {
namespace {

using namespace turno2023;

constexpr double kSingleMillijoules = 1e-2;  // J: below it a difference is of single mJ

std::string millijoules(double joules) { return to_short(1e3 * joules) + " mJ"; }
std::string millimetres(double metres) { return to_short(1e3 * metres) + " mm"; }

void introduce_chip(Document& document) {
  document.title = "Planar divide-and-conquer in single precision";
  document.subtitle =
      "[Turno2023] by Turno and Malczyk, FPGA acceleration of planar multibody dynamics "
      "simulations "
      "in the Hamiltonian-based divide-and-conquer framework";
  document.paragraph(
      "Both mechanisms start at rest and run 10,000 steps of 1e-4 s with explicit Euler in "
      "`float`: "
      "the kernel `hdca` of planar mechanisms on another scalar, without projection and without "
      "momentum reset. The reference is the same mechanism in `double` by Dormand-Prince at "
      "tolerances of 1e-13. Energies and gaps are evaluated in `double` from the state reached.");
  document.paragraph(
      "The paper's table of bodies is not at hand: lengths of 0.3 m and masses of 0.5 kg are ours "
      "(`mechanisms/double_pendulum`, `mechanisms/four_bar`). All energies are proportional to the "
      "masses; angles, velocities and gaps do not depend on them where all bodies are alike.");
  const auto engine = independent_engine();
  document.paragraph(
      engine ? "Independent engine: " + engine->name +
                   ", in its own coordinates with its own Runge-Kutta-Merson integrator, the loop "
                   "closed by constraints."
             : "No independent engine is built in: install `libsimbody-dev` and build again to "
               "have Simbody beside the reference.");
}

Statement energy_statement(const std::string& what, const MotionFindings& f) {
  const double mass = f.bar_mass * kSingleMillijoules / f.single_off;
  return {"Turno2023, sect. 5.1",
          what + ": the kinetic energy differs from that of an established engine by single mJ",
          f.single_off < kSingleMillijoules ? Judgement::kHolds : Judgement::kUndecided,
          "At most " + millijoules(f.single_off) + " (root mean square " + millijoules(f.rms_off) +
              "), " + to_short(100.0 * f.single_off / f.peak_kinetic) + " % of the peak of " +
              to_short(f.peak_kinetic) +
              " J, with our bars; it is proportional to the masses, which the paper has in a table "
              "that is not at hand, and below 10 mJ for bars lighter than " +
              to_short(mass) + " kg."};
}

Statement cause_statement(const std::string& what, const MotionFindings& f) {
  return {"Turno2023, sect. 5.1",
          what + ": the difference is owed to single precision and the explicit integrator",
          f.rounding < 0.1 * f.double_off ? Judgement::kHolds : Judgement::kUndecided,
          "To the integrator: explicit Euler in double is off by " + millijoules(f.double_off) +
              ", and single precision changes that by " + millijoules(f.rounding) + "."};
}

Statement engine_statement(const MotionFindings& pendulum, const MotionFindings& four_bar) {
  const bool has_engine = pendulum.engine_reference >= 0.0;
  const double off = std::max(pendulum.engine_reference, four_bar.engine_reference);
  return {"ours", "The reference is right: an independent engine finds the same kinetic energy",
          !has_engine  ? Judgement::kUndecided
          : off < 1e-6 ? Judgement::kHolds
                       : Judgement::kFails,
          has_engine ? "Double pendulum: " + millijoules(pendulum.engine_reference) +
                           ", four-bar: " + millijoules(four_bar.engine_reference) +
                           " at most; the single-precision runs differ from it by " +
                           millijoules(pendulum.engine_off) + " and " +
                           millijoules(four_bar.engine_off) + "."
                     : "None is built in: install `libsimbody-dev` and build again."};
}

std::vector<Statement> loop_statements(const MotionFindings& f) {
  return {
      {"Turno2023, sect. 5.2", "Without stabilisation the errors of the loop are kept small",
       f.gap < 0.01 * 0.4 ? Judgement::kHolds : Judgement::kFails,
       "The loop opens by " + millimetres(f.gap) + " within the second, " +
           to_short(100.0 * f.gap / 0.4) +
           " % of the ground's 400 mm; the sum of the inner "
           "angles is off by " +
           to_short(f.angle) + " rad."},
      {"Turno2023, sect. 5.2", "They accumulate as time goes on,",
       f.long_gap > 2.0 * f.gap && f.long_angle > f.angle ? Judgement::kHolds : Judgement::kFails,
       "Ten times as long: up to " + millimetres(f.long_gap) + " and " + to_short(f.long_angle) +
           " rad."},
      {"Turno2023, sect. 5.2", "by round-off in single precision and by the explicit integrator",
       std::abs(f.gap - f.gap_double) < 0.1 * f.gap && f.angle_double < 1e-3 * f.angle
           ? Judgement::kHolds
           : Judgement::kFails,
       "Each by one of the two. The gap is the integrator's: " + millimetres(f.gap_double) +
           " in double too, ten times as long " + millimetres(f.long_gap_double) +
           ". The error of the angles is round-off: " + to_short(f.angle_double) +
           " rad in double."}};
}

std::vector<Statement> inversion_statements(const InversionFindings& f,
                                            const MisprintFindings& misprints) {
  return {
      {"Turno2023, eqs. 86-92", "The LDUP inverse takes (n-1)n(n+1) products and (n-1)^2 n sums",
       f.formulas_hold ? Judgement::kHolds : Judgement::kFails,
       "Counted as it runs for n = 2...8, step by step and in all: see the table."},
      {"Turno2023, sect. 4.4", "A 4x4 inverse takes 60 products and 36 sums",
       f.multiplications_4 == 60 && f.additions_4 == 36 ? Judgement::kHolds : Judgement::kFails,
       std::to_string(f.multiplications_4) + " products, " + std::to_string(f.additions_4) +
           " sums and " + std::to_string(f.divisions_4) + " reciprocals."},
      {"Turno2023, sect. 3.1",
       "The adjugate is for 2x2 only: larger ones cost many more operations",
       f.adjugate_cheaper_at_2 && f.adjugate_dearer_at_4 ? Judgement::kHolds : Judgement::kFails,
       "Products/sums/reciprocals: " + f.adjugate_against_ldup +
           ". At 3x3 the two are close: the adjugate saves reciprocals."},
      {"Turno2023, sect. 3.2", "LDUP with partial pivoting is accurate enough in single precision",
       f.worst_error < 10.0 ? Judgement::kHolds : Judgement::kFails,
       "Its worst error over random matrices of every size is " + to_short(f.worst_error) +
           " roundings times the condition of the matrix."},
      {"Turno2023, eqs. 42, 94, 95", "The impulses of the ground on a loop's ends",
       misprints.slip_right < 1e-12 && misprints.slip_42 > 1e-3 && misprints.slip_94 > 1e-3
           ? Judgement::kFails
           : Judgement::kHolds,
       "As printed the ends of the linkage move at " + to_short(misprints.slip_42) +
           " m/s (42) and " + to_short(misprints.slip_94) +
           " m/s (94, 95) where they are pinned; with -eta^-1 D^T (xi_10; xi_20) at " +
           to_short(misprints.slip_right) +
           " m/s, and the joints' velocities are the engine's to " + to_short(misprints.rates_off) +
           " rad/s."}};
}

std::vector<Regenerated> regenerated_chip(bool has_engine) {
  const std::string other = has_engine ? "" : "; against the reference only";
  const std::string chip = "what it becomes with the whole step on the chip: table ";
  return {
      {"Fig. 6", "double pendulum: position and velocity", true, "figures `fig6_*`"},
      {"Fig. 7", "double pendulum: kinetic energy and its difference", true,
       "figures `fig7_*`" + other},
      {"Fig. 10", "four-bar: position and velocity", true, "figures `fig10_*`"},
      {"Fig. 11", "four-bar: kinetic energy and its difference", true, "figures `fig11_*`" + other},
      {"Fig. 12", "four-bar: loop vector", true, "figure `fig12_loop_vector`"},
      {"Fig. 13", "four-bar: sum of the inner angles", true, "figure `fig13_inner_angles`"},
      {"Eqs. 86-92", "operations of the LDUP inverse", true, "table `ldup_operations`"},
      {"Tables 1, 2", "steps of the algorithms", true,
       "as code: `formulations/hdca`, `math/ldup.hpp`"},
      {"Table 3", "a number in 32 bits", false, "an illustration, nothing to compute"},
      {"Table 4", "resources of the parts of the algorithm on the chip", true,
       chip + "`chip_cells`"},
      {"Table 5", "properties of the bodies", false,
       "its numbers are not at hand; ours are "
       "in the mechanisms' README files"},
      {"Tables 6, 7", "times on the chip and on its processor", true,
       chip + "`chip_steps`; the paper's own need its board"},
      {"Figs. 1-5, 9", "drawings", false, "drawings of bodies, trees and mechanisms"},
      {"Figs. 8, 14", "sequences of operations on the chip", true, chip + "`chip_procedures`"}};
}

}  // namespace

Document turno2023(const StudyOptions& options) {
  Document document;
  introduce_chip(document);
  const auto pendulum = double_pendulum_section(options, document);
  const auto four_bar = four_bar_section(options, document);
  options.progress("inverses of small matrices");
  const auto inversion = inversion_section(document);
  const auto misprints = misprint_section(document);
  options.progress("the chip");
  const auto chip = chip_section(document);
  document.heading("Statements");
  std::vector<Statement> statements = {
      energy_statement("Double pendulum", pendulum), cause_statement("Double pendulum", pendulum),
      energy_statement("Four-bar", four_bar), cause_statement("Four-bar", four_bar),
      engine_statement(pendulum, four_bar)};
  for (auto& more : {loop_statements(four_bar), inversion_statements(inversion, misprints),
                     chip_statements(chip)}) {
    statements.insert(statements.end(), more.begin(), more.end());
  }
  document.statements(std::move(statements));
  document.heading("What was made again");
  document.regenerated(regenerated_chip(pendulum.engine_reference >= 0.0));
  return document;
}

}  // namespace hamiltree::studies
