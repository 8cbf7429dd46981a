#include "studies/precision/series.hpp"

#include <algorithm>

namespace hamiltree::studies::round_off {

std::string Series::file() const {
  std::string name = (momenta == Momenta::kRandom ? "random " : "motion ") + text();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<Series> compute_series(const StudyOptions& options) {
  std::vector<Series> all;
  for (const auto momenta : {Momenta::kRandom, Momenta::kMotion}) {
    for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
      for (const auto shape : {Shape::kStraight, Shape::kFolded}) {
        Series series{space, shape, momenta, {}};
        options.progress("one evaluation, " + series.file());
        for (int n = 4; n <= (options.quick ? 128 : 4096); n *= 2) {
          series.points.push_back(evaluate(space, shape, momenta, n, kSeed));
        }
        all.push_back(std::move(series));
      }
    }
  }
  return all;
}

}  // namespace hamiltree::studies::round_off
