// Branches: what a simulation asks about singular poses. Where several branches of motion meet, it
// chooses one at the start, by the velocities or at rest by Gauss's principle; and it says where
// ahead of a motion there is such a pose, so that the motion may pass it on its branch.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/integrators/method.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/branches/branch_motion.hpp"
#include "hamiltree/simulation/branches/followed_motion.hpp"

namespace hamiltree::branches {

class Branches {
 public:
  // `tolerances`: those of the steps of a motion, where these have any.
  explicit Branches(const Model& model, const std::optional<Tolerances>& tolerances = {});

  // There is nothing to look at: no loops, or more than can be looked at in each block.
  bool empty() const { return blocks_.empty() && large_blocks_.empty(); }
  // There are blocks of which all motions can be looked for.
  bool can_search() const { return !blocks_.empty(); }

  // Forgets all poses that have been found: what comes is to depend on the state alone.
  void forget();

  struct Start {
    std::vector<OnBranch> branches;  // to be followed; empty: none
    Eigen::VectorXd v;               // the velocities, on these branches
    std::vector<std::string> notes;
  };
  // At a start, with velocities that J admits; `given`: where joints have velocities in the model
  // file, these are met exactly if a branch can, and a key `branch` that chooses nothing is an
  // error. Throws ModelError where nothing chooses between branches, and where a pose is rigid.
  Start at_start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool given);

  // On blocks whose rows contradict each other as rounded numbers make them, with q on the loops:
  // by how much, and whether they are in use and hold a motion, or are among the redundant ones.
  std::vector<std::string> contradictions(double t, const Eigen::VectorXd& q,
                                          const Redundancy& redundancy);

  // Moves q onto the loops of all blocks that can be searched by the shortest way, whatever the
  // rank of J. Gaps of redundant rows, which others imply, are left: where the numbers of a
  // mechanism are rounded these rows contradict the others, and would hold it.
  void close(double t, Eigen::VectorXd& q, const Redundancy& redundancy);

  // The sentence on a driven loop that closes at no pose near q, that of the time t, later than the
  // time at which the motion ends: one that its drive has stretched out. Empty if there is none.
  std::string out_of_reach(double ends, double t, const Eigen::VectorXd& q);

  // The smallest singular value of J that belongs to no redundant row, of the largest of its block.
  double least_singular_value(double t, const Eigen::VectorXd& q, const Redundancy& redundancy);

  // The branches on which singular poses within reach are approached: at any speed, but large
  // blocks without drives, unless tolerances are tight, only so slowly that accelerations v_dot may
  // turn the motion there. Where it rests at a pose, the branch along which forces drive it. Of
  // blocks that are not on branches already.
  std::vector<OnBranch> ahead(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                              const Eigen::VectorXd& v_dot, const std::vector<OnBranch>& on = {});

  // On these branches where they are to be handed over, with the other coordinates of q. The time
  // is another where drives are on the way.
  struct Pose {
    double t = 0.0;
    Eigen::VectorXd q;
  };
  static Pose next_to(double t, const Eigen::VectorXd& q, const std::vector<OnBranch>& branches);

  BranchDynamics& dynamics();

 private:
  // Singular values of all blocks, as parts of the largest of each, in ascending order.
  std::vector<double> singular_values_at(double t, const Eigen::VectorXd& q);
  // Singular values of J that are smaller, of the largest of a block, belong to redundant rows.
  double least_of_rows_in_use(double t, const Eigen::VectorXd& q, const Redundancy& redundancy);

  struct Block {
    std::unique_ptr<LoopBlock> loops;
    int cut = 0;  // the joint that messages name
    // One after the other is found and kept: motions come back.
    std::vector<std::unique_ptr<SingularPose>> poses;
    std::vector<std::unique_ptr<FollowedMotion>> followed;
    // Coordinates near which no singular pose was found, and from which none lies ahead of the
    // motion; may be empty.
    Eigen::VectorXd regular, regular_ahead;
    // Of quick motions with several freedoms: poses with the branch that these are on, and where
    // such a pose was looked for last, with the distance from there, of the length, within which
    // none is looked for again.
    std::vector<std::unique_ptr<SingularPose>> poses_beside;
    std::optional<LoopBlock::Home> seen_from;
    double clear = 0.0;
  };
  struct AtPose {
    const Block* block;
    const SingularPose* pose;
  };
  struct Choice {
    const BranchChart* chart = nullptr;  // none: the block rests, or its rows lead it
    Eigen::VectorXd v;                   // of the model, where the block moves along the chart
    std::string note;
    std::string unclear;  // what does not decide between branches; empty: the choice is made
  };

  SingularPose* pose_near(Block& block, double t, const Eigen::VectorXd& q);
  std::optional<const BranchChart*> chart_ahead(Block& block, double t, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v);
  const BranchChart* chart_of_slow(Block& block, double t, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& v);
  const BranchChart* chart_beside(Block& block, double t, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);
  std::vector<const BranchChart*> charts_through(const Block& block, SingularPose& pose,
                                                 const Eigen::VectorXd& x,
                                                 const Eigen::VectorXd& x_rate) const;
  const BranchChart* chart_through(const Block& block, SingularPose& pose, const Eigen::VectorXd& x,
                                   const Eigen::VectorXd& x_rate) const;
  Choice choose_by_velocity(const AtPose& here, double t, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& v, bool given);
  double distance(const AtPose& here, double t, const Eigen::VectorXd& q,
                  const Eigen::VectorXd& from, const Eigen::VectorXd& to);
  void meet_given_velocities(const Block& block, const Freedom& freedom, Choice& choice) const;
  std::vector<std::pair<int, double>> given_velocities(const Block& block) const;
  double missed_of_given(const Block& block, double t, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v, const Eigen::VectorXd& chosen);
  Eigen::VectorXd free_accelerations(const AtPose& here, double t, const Eigen::VectorXd& q);
  double gain(const AtPose& here, const std::vector<AtPose>& at_pose, double t,
              const Eigen::VectorXd& q, const Eigen::MatrixXd& directions);
  Choice choose_beside(const Block& block, const BranchChart& chart, double t,
                       const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool given);
  Choice choose_unsearched(Block& block, const SingularPose& pose, double t,
                           const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool given);
  std::optional<Choice> choose_followed(Block& block, const SingularPose& pose,
                                        const std::string& start, double t,
                                        const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                        bool given);
  void check_missed(const Block& block, const std::string& start, double missed) const;
  Choice choose_at_rest(const AtPose& here, const std::vector<AtPose>& at_pose, double t,
                        const Eigen::VectorXd& q);

  // The branch that a joint of the block asks for.
  struct Asked {
    int joint = 0;   // of the description
    int branch = 0;  // from 1
  };
  std::optional<Asked> asked(const Block& block) const;
  std::vector<int> described_joints(const Block& block) const;
  bool has_velocities(const Block& block) const;  // in the model file
  Choice choose_as_asked(const AtPose& here, const Asked& asked, double t, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& v, bool given);
  void check_asked(const std::vector<AtPose>& at_pose) const;

  // For messages.
  std::string singular_start(const AtPose& here) const;
  std::string how_undecided(const AtPose& here) const;
  std::string with_all_motions(const AtPose& here) const;
  std::string how_to_choose(const Block& block) const;
  std::string subject(const Block& block) const;
  [[noreturn]] void refuse(const Block& block, const std::string& why) const;
  [[noreturn]] void refuse_joint(int described, const std::string& why) const;

  Model model_;
  std::vector<Block> blocks_;
  std::vector<Block> large_blocks_;           // too large to look for all motions through a pose
  bool follows_large_quick_ = false;          // also where they cannot turn
  std::unique_ptr<BranchDynamics> dynamics_;  // once it is needed
};

}  // namespace hamiltree::branches
