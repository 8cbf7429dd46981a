// One evaluation of the rates of a chain whose segments float, see ChainOptions::segment.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "studies/precision/chain.hpp"

namespace hamiltree::studies::round_off {

inline constexpr std::array<std::string_view, 2> kSegmentForms{"hdca", "recursive"};

// Relative errors of the rates of all pins, those of the cuts included, in the 2-norm.
struct SegmentError {
  double algorithm = 0.0;     // against quadruple precision at the same rounded state
  double all = 0.0;           // against the motion itself: the rounding of q and p comes on top
  double microseconds = 0.0;  // of one evaluation of the rates, the shortest of several
};

struct SegmentErrors {
  int bodies = 0, segment = 0;  // segment 0: the plain chain
  double rounded_state = 0.0;   // quadruple precision at the rounded state, against the motion
  std::array<SegmentError, kSegmentForms.size()> form;
};

SegmentErrors evaluate_segments(const ChainOptions& options, Shape shape, std::uint64_t seed);

}  // namespace hamiltree::studies::round_off
