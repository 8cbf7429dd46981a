#include "hamiltree/simulation/curve_bends.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hamiltree/simulation/bends.hpp"

namespace hamiltree {
namespace {

constexpr double kReached = 0.01;  // a bend, of the way between two of them

}  // namespace

CurveBends::CurveBends(const Model& model) {
  model.visit([&](const auto& system) {
    for (const auto& spring : system.curve_springs) {
      std::vector<double> x, f;
      for (const auto& piece : spring.pieces) {
        x.push_back(piece.start + spring.rest);
        f.push_back(piece.value);
      }
      const auto& last = spring.pieces.back();
      const double u = last.length;
      x.push_back(last.start + u + spring.rest);
      f.push_back(last.value + u * (last.slope + u * (last.c2 + u * last.c3)));
      curves_.push_back({spring.joint, bends_of(x, f)});
    }
  });
}

double CurveBends::time_ahead(const Probe& probe) const {
  double time = std::numeric_limits<double>::infinity();
  for (const auto& [joint, bends] : curves_) {
    const double q = probe.position(joint), rate = probe.rate(joint);
    for (std::size_t i = 0; i < bends.size(); ++i) {
      // From one end to the other the way before a bend is that from the last one.
      const bool rises = rate > 0.0;
      const std::size_t k = rises ? i : bends.size() - 1 - i;
      const double before = i == 0 ? std::abs(bends[1] - bends[0])
                                   : std::abs(bends[k] - bends[rises ? k - 1 : k + 1]);
      const double way = rises ? bends[k] - q : q - bends[k];
      if (way <= kReached * before) continue;
      time = std::min(time, way / std::abs(rate));
      break;
    }
  }
  return time;
}

}  // namespace hamiltree
