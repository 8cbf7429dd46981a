#include "hamiltree/formulations/not_finite.hpp"

#include <cmath>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree {

std::optional<int> first_not_finite(const Model& model, const Workspace& workspace) {
  for (int b = 0; b < model.body_count(); ++b) {
    const auto [v, count] = model.visit([&](const auto& system) {
      return std::pair{system.joint(b).v, system.joint(b).velocities};
    });
    for (int i = v; i < v + count; ++i) {
      if (!std::isfinite(workspace.v[at(i)]) || !std::isfinite(workspace.u_dot[at(i)])) return b;
    }
  }
  return std::nullopt;
}

}  // namespace hamiltree
