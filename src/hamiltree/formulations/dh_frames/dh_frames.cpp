#include "hamiltree/formulations/dh_frames/dh_frames.hpp"

#include <utility>

#include "hamiltree/base/shared_or_alone.hpp"
#include "hamiltree/formulations/dh_frames/evaluate.hpp"
#include "hamiltree/formulations/gravity_kernel.hpp"

namespace hamiltree::dh_frames {
namespace {

struct WorkspaceOf final : GravityWorkspace {
  WorkspaceOf(const Tree& tree, const Model& model, std::unique_ptr<AddedForces> added, int threads)
      : GravityWorkspace(model, std::move(added)),
        pool(threads != 1 && tree.chain && tree.chain->chain_blocks.size() > 1
                 ? std::make_unique<Pool>(threads)
                 : nullptr),
        work(tree, pool ? pool->threads() : 1) {}

  std::unique_ptr<Pool> pool;  // null: all is done by the caller
  SharedOrAlone sharing;
  TreeWork work;
};

class RevoluteTree final : public GravityKernel {
 public:
  RevoluteTree(Tree tree, const Model& model, std::unique_ptr<AddedForces> forces, int threads)
      : GravityKernel(model, std::move(forces)), tree_(std::move(tree)), threads_(threads) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(tree_, model(), copy_of_forces(), threads_);
  }

  Answer velocities(const StateView& state, const double*, Workspace& workspace) const override {
    return evaluate(state, static_cast<WorkspaceOf&>(workspace));
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOf&>(workspace);
    const auto status = evaluate(state, own);
    return status == Status::kOk ? add_efforts(state, own) : status;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    return Energies{kinetic_energy(state, workspace),
                    own.work.potential + own.forces->stored_energy(state.q)};
  }

 private:
  Status evaluate(const StateView& state, WorkspaceOf& own) const {
    const Request<double> asked{state.q, state.u, own.velocities.data(),
                                own.coordinate_rates.data(), own.momentum_rates.data()};
    bool finite = true;
    const auto evaluate = [&](Pool* pool) {
      finite = dh_frames::evaluate(kernels_, tree_, asked, own.work, pool);
    };
    if (own.pool) {
      own.sharing.run([&](bool shared) { evaluate(shared ? own.pool.get() : nullptr); });
    } else {
      evaluate(nullptr);
    }
    return finite ? Status::kOk : Status::kNotFinite;
  }

  Tree tree_;
  int threads_;
  const Kernels& kernels_ = kernels();
};

}  // namespace

std::unique_ptr<RateKernel> make_kernel(Tree tree, const Model& model,
                                        std::unique_ptr<AddedForces> forces, int threads) {
  return std::make_unique<RevoluteTree>(std::move(tree), model, std::move(forces), threads);
}

}  // namespace hamiltree::dh_frames
