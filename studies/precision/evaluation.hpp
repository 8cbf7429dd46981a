// One evaluation of the rates of a plain chain by every formulation, in double precision against
// quadruple.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "studies/precision/chain.hpp"

namespace hamiltree::studies::round_off {

enum class Momenta {
  kRandom,  // between -1 and 1, whatever motion that is
  kMotion,  // those of the given rates, rounded
};

inline constexpr std::string_view kRefined = "hdca refined";  // see refined.hpp
inline constexpr std::array<std::string_view, 3> kMomentumForms{"hdca", kRefined, "recursive"};
inline constexpr std::array<std::string_view, 2> kVelocityForms{"dca", "aba"};

// Relative errors in the 2-norm. A formulation is held against quadruple precision at the very
// state that it is given.
struct FormErrors {
  double motion = 0.0;  // of qdot from (q, p), of vdot from (q, v)
  double p_dot = 0.0;   // from (q, p)
};

struct EvaluationErrors {
  int bodies = 0;
  double condition = 0.0;    // |M| |M^-1|
  double unavoidable = 0.0;  // eps |M^-1| |p| / |qdot|
  double rounded_p = 0.0;    // of qdot for the p of the motion rounded to double; of random p zero
  double rounded_qv = 0.0;   // of vdot, for q and v changed by up to half an eps each
  double reference = 0.0;    // of qdot by the reference from the p of the motion, not rounded
  std::optional<double> digits;  // of qdot, as `hamiltree info` estimates them
  std::array<FormErrors, kMomentumForms.size()> momentum_form;
  std::array<FormErrors, kVelocityForms.size()> velocity_form;
};

// With random momenta the (q, v) formulations are given the v that belongs to them.
EvaluationErrors evaluate(SpaceKind space, Shape shape, Momenta momenta, int bodies,
                          std::uint64_t seed);

}  // namespace hamiltree::studies::round_off
