#include "studies/study.hpp"

namespace hamiltree::studies {

std::span<const Study> all_studies() {
  static constexpr Study kStudies[] = {
      {"chadaj2017", "the closed-loop Hamiltonian divide-and-conquer algorithm, sect. 3",
       chadaj2017},
      {"naudet2003", "operations of the recursive algorithm; momenta against accelerations",
       naudet2003},
      {"turno2023", "planar mechanisms in single precision; inverses of small matrices", turno2023},
      {"precision", "round-off of (q, p) and (q, v) on long chains, and a cure", precision},
      {"gradients", "gradients of runs: pendulums on a cart, identification", gradients},
  };
  return kStudies;
}

}  // namespace hamiltree::studies
