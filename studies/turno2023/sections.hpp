// The parts of the study: each writes its tables and figures and returns what the judgements rest
// on.
#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace hamiltree::turno2023 {

// Findings for one mechanism over the paper's run: 10,000 steps of 1e-4 s.
struct MotionFindings {
  double bar_mass = 0.0;               // kg, ours
  double peak_kinetic = 0.0;           // J, of the reference
  double single_off = 0.0;             // J: max |T - reference|, float
  double double_off = 0.0;             // J: the same, double
  double rounding = 0.0;               // J: max |T float - T double|
  double rms_off = 0.0;                // J: root mean square of T - reference, float
  double projected_off = 0.0;          // J: Euler in double with projection and reset
  double engine_off = -1.0;            // J: max |T - independent engine|; negative: there is none
  double engine_reference = -1.0;      // J: max |reference - independent engine|
  double gap = 0.0, gap_double = 0.0;  // m: largest, over the paper's run
  double long_gap = 0.0, long_gap_double = 0.0;  // m: largest, ten times as long
  double angle = 0.0, angle_double = 0.0;        // rad: largest error of the sum of angles
  double long_angle = 0.0;                       // rad: ten times as long
};

MotionFindings double_pendulum_section(const studies::StudyOptions& options, Document& document);
MotionFindings four_bar_section(const studies::StudyOptions& options, Document& document);

struct InversionFindings {
  bool formulas_hold = false;  // every one of eqs. 86-92, n = 2...8
  int multiplications_4 = 0, additions_4 = 0, divisions_4 = 0;  // of the LDUP inverse of 4x4
  std::string adjugate_against_ldup;                            // sizes 2 to 4, in words
  bool adjugate_cheaper_at_2 = false, adjugate_dearer_at_4 = false;
  double worst_error = 0.0;  // of LDUP in float, of what the condition allows
};
InversionFindings inversion_section(Document& document);

struct MisprintFindings {
  double slip_right = 0.0, slip_42 = 0.0, slip_94 = 0.0;  // m/s
  double rates_off = 0.0;  // rad/s: of the right signs, against the engine's kernel
  double bias_pin = 0.0, bias_slider = 0.0;              // eq. 18, relative to xi_20
  double product_as_printed = 0.0, product_right = 0.0;  // eq. 81: max |Y P A - 1|
  double factors_as_printed = 0.0, factors_right = 0.0;  // eq. 74: max |P A - ...|
};
MisprintFindings misprint_section(Document& document);

struct ChipFindings {
  int assembly_cycles = 0;  // of the paper's assembly phase alone
  double assembly_microseconds = 0.0, words_microseconds = 0.0;
  int pendulum_cycles = 0, four_bar_cycles = 0;                     // of a step
  double pendulum_milliseconds = 0.0, four_bar_milliseconds = 0.0;  // of 10,000 steps
  double error_16 = 0.0, error_64 = 0.0;  // of velocities of chains, relative
  int cells = 0;                          // of the whole chip with one unit of each kind
};
ChipFindings chip_section(Document& document);
std::vector<Statement> chip_statements(const ChipFindings& findings);

}  // namespace hamiltree::turno2023
