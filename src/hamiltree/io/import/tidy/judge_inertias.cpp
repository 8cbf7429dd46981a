#include <optional>

#include "hamiltree/io/import/tidy/tidy.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {

void judge_inertias(Mechanism& mechanism, bool balance, ImportLog& log) {
  for (auto& body : mechanism.bodies) {
    const auto problem = inertia_problem(body.inertia);
    if (!problem) continue;
    const auto element = titled("link", body.name);
    if (!balance || !(body.inertia.trace() > 0.0)) {
      refuse(body.where, element,
             *problem + " (fixed links merged; --balance-inertia makes the moments equal)");
    }
    log.warn(body.where, element + ": " + *problem + "; balanced, its moments are now equal");
    body.inertia = Eigen::Matrix3d::Identity() * (body.inertia.trace() / 3.0);
  }
}

}  // namespace hamiltree
