#include "hamiltree/formulations/codegen/closure.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/codegen/on_traced.hpp"
#include "hamiltree/formulations/codegen/tangent.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loop_joints.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::codegen {
namespace {

template <class Space>
class ClosureRecorder {
  using On = typename Space::template Rebind<Traced>;
  using Traces = std::vector<Traced>;

 public:
  ClosureRecorder(const Model& model, const System<Space>& system, const Eigen::VectorXd& q)
      : model_(model), system_(system), q_(q) {}

  Closure record(const std::vector<int>& actuators, const std::vector<int>& joints) {
    find_loops(actuators, joints);
    Closure closure{{}, {}, {actuators}, {joints}};
    closure.routine = with_jacobians(plain(closure));
    return closure;
  }

 private:
  struct Loop {
    std::set<int> joints;  // the one that closes it, and those in the tree
    int row = 0, rows = 0;
  };

  void add_path(int joint, std::set<int>& joints) const {
    joints.insert(joint);
    for (const int j : tree_joints(system_, joint)) joints.insert(j);
  }
  std::vector<Loop> all_loops() const {
    std::vector<Loop> loops;
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      auto& loop = loops.emplace_back();
      add_path(c, loop.joints);
      loop.row = system_.joint(c).row;
      loop.rows = system_.joint(c).constraints;
    }
    for (const auto& coupling : system_.couplings) {
      auto& loop = loops.emplace_back();
      add_path(coupling.joint, loop.joints);
      add_path(coupling.to, loop.joints);
      loop.row = coupling.row;
      loop.rows = 1;
    }
    return loops;
  }

  // Those that have a joint in common with the groups, or with one that has.
  void find_loops(const std::vector<int>& actuators, const std::vector<int>& joints) {
    auto left = all_loops();
    for (const auto* side : {&actuators, &joints}) {
      for (const int j : *side) add_path(j, joints_);
    }
    const auto is_near = [&](const Loop& loop) {
      return std::ranges::any_of(loop.joints, [&](int j) { return joints_.contains(j); });
    };
    for (auto next = std::ranges::find_if(left, is_near); next != left.end();
         next = std::ranges::find_if(left, is_near)) {
      joints_.insert(next->joints.begin(), next->joints.end());
      for (int i = 0; i < next->rows; ++i) rows_.push_back(next->row + i);
      left.erase(next);
    }
    if (rows_.empty()) throw UsageError("no loop connects the actuators with the joints");
    std::ranges::sort(rows_);
  }

  void refuse_quaternion(int j) const {
    if (system_.joint(j).coordinates == system_.joint(j).velocities) return;
    const auto& said = model_.mechanism().joints[at(model_.described_joint(j))];
    throw ModelError(
        said.where, said.name,
        "joint \"" + said.name +
            "\" turns freely, so that its coordinates are a quaternion: a transmission "
            "cannot have them; let it close the loop (cut = true)");
  }

  Routine plain(Closure& closure) {
    Routine routine{"closure", "The loops, and both sides of the transmission.", {}, {}, {}};
    const TraceScope scope(routine.trace);
    Traces q;
    for (const double coordinate : q_) q.emplace_back(coordinate);
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      if (!joint.has_velocity()) continue;
      refuse_quaternion(j);
      for (int i = joint.q; i < joint.q + joint.coordinates; ++i) {
        q[at(i)] = routine.trace.input("x");
        closure.start.push_back(q_(i));
      }
    }
    const int unknowns = static_cast<int>(closure.start.size());
    routine.inputs.push_back({"x", unknowns, "coordinates, rad and m"});
    give(q, closure, routine);
    return routine;
  }

  void give(const Traces& q, Closure& closure, Routine& routine) {
    const auto system = system_.without_forces().template cast<Traced>();
    Kinematics<On> kin(system);
    place(system, Traced(0), q.data(), kin);
    Traces phi(at(system.constraints));
    position_residual(system, kin, q.data(), phi.data());
    const auto output = [&](const char* name, const Traces& values, const char* meaning) {
      for (const auto& value : values) routine.trace.output(name, value);
      routine.outputs.push_back({name, static_cast<int>(values.size()), meaning});
    };
    Traces gap;
    for (const int row : rows_) gap.push_back(phi[at(row)]);
    output("gap", gap, "by how much the loops are open, m and rad");
    output("actuator", positions(system, kin, q, closure.actuators), "their positions");
    output("joint", positions(system, kin, q, closure.joints), "their positions");
  }

  Traces positions(const System<On>& system, const Kinematics<On>& kin, const Traces& q,
                   ClosureSide& side) const {
    Traces all;
    for (const int j : side.joints) {
      const auto& joint = system.joint(j);
      if (joint.has_velocity()) {
        all.insert(all.end(), q.begin() + joint.q, q.begin() + joint.q + joint.coordinates);
        side.wraps.resize(all.size(), false);
        continue;
      }
      refuse_quaternion(j);
      visit_joint<On>(joint, [&]<class J>(const J& type) {
        if constexpr (J::kCoordinates == J::kVelocities) {
          std::array<Traced, 7> x{};
          type.coordinates(relative_pose(system, kin, j), x.data());
          all.insert(all.end(), x.begin(), x.begin() + J::kCoordinates);
        }
      });
      for (int i = 0; i < joint.coordinates; ++i)
        side.wraps.push_back(joint.free[at(i)] >= Space::kLinear);
    }
    return all;
  }

  const Model& model_;
  const System<Space>& system_;
  const Eigen::VectorXd& q_;
  std::set<int> joints_;   // of all loops concerned
  std::vector<int> rows_;  // of Phi
};

}  // namespace

Closure closure_of(const Model& model, const Eigen::VectorXd& q, const std::vector<int>& actuators,
                   const std::vector<int>& joints) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    return ClosureRecorder<Space>(model, system, q).record(actuators, joints);
  });
}

}  // namespace hamiltree::codegen
