#include "hamiltree/io/import/normalise/normalise.hpp"

namespace hamiltree {

void normalise(Mechanism& mechanism, Looks& looks, const ImportOptions& options, ImportLog& log) {
  do {
    merge_fixed_joints(mechanism, looks, log);
  } while (merge_points_on_a_line(mechanism));
  drop_massless_ends(mechanism, looks, log);
  check_inertias(mechanism, options, log);
  free_loops(mechanism);
  stiffen_limits(mechanism);
  start_between_stops(mechanism);
  close_small_gaps(mechanism, log);
}

double value_at(const Coupling& coupling, double q) {
  double value = 0.0;
  const auto coefficients = coupling.polynomial();
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * q + *c;
  return value;
}

}  // namespace hamiltree
