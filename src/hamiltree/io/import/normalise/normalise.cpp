#include "hamiltree/io/import/normalise/normalise.hpp"

namespace hamiltree {

void normalise(Mechanism& mechanism, const ImportOptions& options, ImportLog& log) {
  do {
    merge_fixed_joints(mechanism, log);
  } while (merge_points_on_a_line(mechanism));
  drop_massless_ends(mechanism, log);
  check_inertias(mechanism, options, log);
  free_loops(mechanism);
  stiffen_limits(mechanism);
  start_between_stops(mechanism);
}

}  // namespace hamiltree
