// PinnedPart: a Part whose state is the links' angles and accumulated momenta.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hamiltree/base/shared_or_alone.hpp"
#include "hamiltree/distributed/part.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::distributed {

class PinnedPart final : public Part {
 public:
  // As make_part().
  PinnedPart(const PartOptions& options, const ReadLinks& read_links, const Ranks& ranks);

  bool rate(const double* q, const double* p, double* q_dot, double* p_dot, bool measures) override;
  void show(const double* q, std::span<const std::size_t> links, double* angles,
            double* rates) override;

 private:
  PinnedPart(const std::vector<std::size_t>& lengths, const PartOptions& options,
             const ReadLinks& read_links, const Ranks& ranks);
  void read(const ReadLinks& read_links, std::size_t links);
  void add_mass_beyond();
  bool solve(const dh_frames::Request<double>& asked, bool shared);

  Ends ends(std::size_t k) override { return {work_[k].outside, work_[k].inside}; }
  const double* velocities() const override { return velocities_; }

  SharedOrAlone sharing_;
  const dh_frames::ChainBlockKernels<true>& kernels_;
  std::vector<std::size_t> lengths_;  // of the segments of every chain block
  std::vector<dh_frames::ChainBlock> chain_blocks_;
  std::vector<dh_frames::ChainBlockWork<true>> work_;
  std::vector<dh_frames::MovingSteps<true>> moving_;  // of each thread
  dh_frames::Rotation root_{};
  dh_frames::Vector3 gravity_{};
  const double* velocities_ = nullptr;  // where the last rate was written
};

}  // namespace hamiltree::distributed
