#include "hamiltree/io/import/tidy/tidy.hpp"

namespace hamiltree {

void tidy(Mechanism& mechanism, Looks& looks, const ImportOptions& options, ImportLog& log) {
  do {
    merge_fixed_joints(mechanism, looks, log);
  } while (merge_points_on_a_line(mechanism));
  drop_massless_ends(mechanism, looks, log);
  judge_inertias(mechanism, options, log);
  free_loops(mechanism);
  harden_stops(mechanism);
  start_between_stops(mechanism);
  close_small_gaps(mechanism, log);
}

}  // namespace hamiltree
