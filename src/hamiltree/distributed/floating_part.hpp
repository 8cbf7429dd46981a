// FloatingPart: a Part whose segments float, so that moving chains keep their digits [ADR 0012].
// The state: of a segment's first body, its base, place and angle in the world and their momenta;
// of all others the pin's angle and momentum within the segment. Places are counted from where the
// bases were after the last step, of which only the ways from one to the next are known: at the end
// of a long chain places in the world would lose the digits that momenta keep.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hamiltree/base/shared_or_alone.hpp"
#include "hamiltree/distributed/part.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/formulations/dh_frames/floating_work.hpp"

namespace hamiltree::distributed {

// How a base lies and moves, in the plane.
struct BaseState {
  double x = 0.0, y = 0.0, angle = 0.0;        // m, rad
  double v_x = 0.0, v_y = 0.0, turning = 0.0;  // of its origin in its own axes, m/s, rad/s
};

class FloatingPart final : public Part {
 public:
  // As make_part().
  FloatingPart(const PartOptions& options, const ReadLinks& read_links, const Ranks& ranks);

  bool rate(const double* q, const double* p, double* q_dot, double* p_dot, bool measures) override;
  std::optional<double> finish_step(double* q, double* p) override;
  void show(const double* q, std::span<const std::size_t> links, double* angles,
            double* rates) override;

 private:
  void read_chain_block(const ReadLinks& read_links, std::size_t links, std::size_t k);
  void carry_to_world();
  // Momenta p of velocities v; places are counted from here on, with all loops closed.
  void settle(double* q, const double* v, double* p, bool shared);
  dh_frames::BasePlace meet_next_rank(const double* q);  // where its first base is
  dh_frames::BasePlace first_base(std::size_t k, const double* q,
                                  const dh_frames::BasePlace& next_rank) const;  // k: one more, too
  bool solve(const dh_frames::FloatingRequest& asked, SharedOrAlone& sharing);
  bool solve(const dh_frames::FloatingRequest& asked, bool shared);

  // Where the entries of a link begin; a base has three.
  std::size_t entry_of(std::size_t link) const;
  bool is_base(std::size_t link) const { return link > 0 && link % bodies_ == 0; }

  Ends ends(std::size_t k) override { return {work_[k].outside, work_[k].inside}; }
  const double* velocities() const override { return velocities_.data(); }

  SharedOrAlone sharing_rates_, sharing_solves_, sharing_settling_;
  const dh_frames::FloatingKernels& kernels_;
  std::size_t bodies_;  // in a segment
  std::vector<dh_frames::FloatingChain> chain_blocks_;
  std::vector<dh_frames::FloatingWork> work_;
  std::vector<char> finite_;       // of each chain block
  std::vector<BaseState> behind_;  // the first base behind each chain block, at the start
  double longest_offset_ = 0.0;    // m, between pins that are cut and those before them
  std::vector<double> velocities_;
  std::vector<double> at_rest_, correction_;
  std::vector<double> initial_angles_;  // of the pins of this rank's bases
};

}  // namespace hamiltree::distributed
