// Part: what one rank computes of a chain of revolute joints in the plane that is cut over ranks:
// some of its chain blocks. A rate takes all ranks together; what passes between them are chain
// blocks as seen from outside, two by two over a tree, and what they are told [Chadaj2017 eqs.
// 24-36]. The cut into chain blocks and the order of the joins depend on the number of links alone,
// and so does every bit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/base/pool.hpp"
#include "hamiltree/base/ranks.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::distributed {

// The links [first, last) of the chain, the first one's pin on the ground.
using ReadLinks = std::function<Mechanism(std::size_t first, std::size_t last)>;

struct PartOptions {
  std::size_t links = 0;  // of the whole chain
  int threads = 1;        // as of Pool, where they are faster
  int segments = 0;       // bodies in one, which then float [ADR 0012]; 0: none float
};

class Part {
 public:
  virtual ~Part() = default;

  // The whole chain's, and this rank's among them.
  std::size_t chain_blocks() const { return first_of_.size() - 1; }
  std::size_t first() const { return first_of_[begin_]; }
  std::size_t last() const { return first_of_[end_]; }

  int threads() const { return pool_.threads(); }

  // This rank's coordinates and as many momenta at the start, SI. Without floating segments they
  // are the links' own.
  const std::vector<double>& initial_q() const { return initial_q_; }
  const std::vector<double>& initial_p() const { return initial_p_; }

  // Rates of this rank's links, from their coordinates and momenta. All ranks call it together.
  // False if one of this rank's is not finite. `measures`: energies() will be called.
  virtual bool rate(const double* q, const double* p, double* q_dot, double* p_dot,
                    bool measures) = 0;

  // After a step, all ranks together: closes what the step opened between segments and takes from
  // the momenta what is carried there. Returns by how much it was open, m, the same on all ranks;
  // nothing where it could not be closed.
  virtual std::optional<double> finish_step([[maybe_unused]] double* q,
                                            [[maybe_unused]] double* p) {
    return 0.0;
  }

  // At the last rate, of all of the chain, the same on all ranks, which call it together with
  // the momenta of that rate.
  struct Energies {
    double kinetic = 0.0, potential = 0.0;  // J, the latter less a constant
  };
  Energies energies(const double* p);

  // Angles and rates of some of this rank's links at the last rate, rad and rad/s. All ranks call
  // it together with the coordinates of that rate.
  virtual void show(const double* q, std::span<const std::size_t> links, double* angles,
                    double* rates) = 0;

 protected:
  using Outside = dh_frames::Outside<true>;
  using Inside = dh_frames::Inside<true>;
  struct Ends {
    Outside& outside;
    Inside& inside;
  };

  // Chain blocks with these numbers of links.
  Part(const std::vector<std::size_t>& links_of_chain_blocks, const Ranks& ranks, int threads);

  // f(thread, k) for this rank's chain blocks, numbered from zero.
  template <class F>
  void for_all(bool shared, const F& f) {
    const std::size_t count = own_chain_blocks();
    if (shared) return pool_.run(count, std::ref(f));
    for (std::size_t k = 0; k < count; ++k) f(0, k);
  }

  // Joins the chain blocks of all ranks, closes the chain on the ground under gravity, and tells
  // each chain block what it is handed.
  void hand_on(const dh_frames::Vector3& gravity);

  virtual Ends ends(std::size_t own_chain_block) = 0;
  virtual const double* velocities() const = 0;  // of the last rate, one for each momentum

  std::size_t own_chain_blocks() const { return end_ - begin_; }
  // This rank's k-th chain block: its number in the chain, and its first link.
  std::size_t number_of(std::size_t k) const { return begin_ + k; }
  std::size_t first_of(std::size_t k) const { return first_of_[begin_ + k]; }
  bool is_first() const { return ranks_.rank == 0; }
  bool is_last() const { return ranks_.rank + 1 == ranks_.count; }

  Ranks ranks_;
  Pool pool_;
  std::vector<double> initial_q_, initial_p_;
  std::vector<std::size_t>
      entry_of_;  // of this rank's q: where each chain block begins, and the end

 private:
  // The k-th join of the chain, as far as this rank takes part: B, computed elsewhere or here, into
  // A, elsewhere or here.
  struct Join {
    std::size_t A, B;
    int rank_A, rank_B;
    dh_frames::JoinedChainBlocks<true> joined;
    Outside from_elsewhere;
  };

  std::size_t begin_of(int rank) const;  // its chain blocks
  int rank_of(std::size_t chain_block) const;
  Ends ends_of(std::size_t chain_block) { return ends(chain_block - begin_); }

  const dh_frames::ChainBlockKernels<true>& kernels_;
  std::vector<std::size_t> first_of_;  // link of every chain block, and one more
  std::size_t begin_ = 0, end_ = 0;    // this rank's chain blocks
  std::vector<Join> joins_;
  double potential_ = 0.0;
  std::vector<double> sums_;  // of energies(), one for each chain block
};

// Links are read, compiled and forgotten chain block by chain block. Throws ModelError for what is
// no planar chain of revolute joints, and UsageError for one that is not at rest unless its
// segments float, for fewer links than fill the lanes or make two segments, and for fewer chain
// blocks than ranks.
std::unique_ptr<Part> make_part(const PartOptions& options, const ReadLinks& read_links,
                                const Ranks& ranks);

}  // namespace hamiltree::distributed
