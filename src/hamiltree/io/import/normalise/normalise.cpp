#include "hamiltree/io/import/normalise/normalise.hpp"

#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {
namespace {

// Later, what names no joint goes with the joints that are left out.
void check_couplings(const Mechanism& mechanism) {
  const auto joints = number_by_name(mechanism.joints);
  for (const auto& coupling : mechanism.couplings) {
    for (const auto& name : {coupling.joint, coupling.to}) {
      if (joints.contains(name)) continue;
      refuse(coupling.where, titled("coupling", coupling.name),
             "joint \"" + name + "\" is not a joint of this mechanism");
    }
  }
}

}  // namespace

void normalise(Mechanism& mechanism, Looks& looks, const ImportOptions& options, ImportLog& log) {
  check_couplings(mechanism);
  do {
    merge_fixed_joints(mechanism, looks, log);
  } while (merge_points_on_a_line(mechanism));
  drop_massless_ends(mechanism, looks, log);
  check_inertias(mechanism, options, log);
  free_loops(mechanism);
  stiffen_limits(mechanism);
  warn_of_stops(mechanism, log);
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
