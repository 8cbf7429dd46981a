// Part: what one rank computes of a chain of pins in the plane that is cut over ranks: some of its
// stretches. A rate takes all ranks together; what passes between them are stretches as seen from
// outside, two by two over a tree, and what they are told [Chadaj2017 eqs. 24-36]. The cut into
// stretches and the order of the joins depend on the number of links alone, and so does every bit.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "hamiltree/base/pool.hpp"
#include "hamiltree/base/ranks.hpp"
#include "hamiltree/base/shared_or_alone.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"
#include "hamiltree/formulations/screws/tree.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::giant {

// The links [first, last) of the chain, the first one's pin on the ground.
using ReadLinks = std::function<Mechanism(std::size_t first, std::size_t last)>;

class Part {
 public:
  // Of a chain of so many links. Links are read, compiled and forgotten stretch by stretch. Threads
  // as of Pool, where they are faster. Throws UsageError for what is no planar chain of pins at
  // rest, for fewer links than fill eight segments and for fewer stretches than ranks.
  Part(std::size_t links, const ReadLinks& read_links, const Ranks& ranks, int threads);

  // Of the whole chain, and of this rank's links among them.
  std::size_t stretches() const { return first_of_.size() - 1; }
  std::size_t first() const { return first_of_[begin_]; }
  std::size_t last() const { return first_of_[end_]; }

  int threads() const { return pool_.threads(); }

  // Angles of this rank's pins at the start, rad; the chain is at rest.
  const std::vector<double>& initial_q() const { return initial_q_; }

  // Of this rank's links, from their angles and momenta: rates in rad/s and N m. All ranks call it
  // together. False if one of this rank's is not finite.
  bool rate(const double* q, const double* p, double* q_dot, double* p_dot);

  // At the last rate, J, of all of the chain, the same on all ranks, which call it together with
  // the momenta and rates of that rate; the potential one less a constant.
  struct Energies {
    double kinetic = 0.0, potential = 0.0;
  };
  Energies energies(const double* p, const double* q_dot);

 private:
  using Outside = screws::Outside<true>;
  using Inside = screws::Inside<true>;

  // The k-th join of the chain, as far as this rank takes part: B, computed elsewhere or here, into
  // A, elsewhere or here.
  struct Join {
    std::size_t A, B;
    int rank_A, rank_B;
    screws::JoinedStretches<true> joined;
    Outside from_elsewhere;
  };

  std::size_t begin_of(int rank) const;  // its stretches
  int rank_of(std::size_t stretch) const;
  bool rate(const double* q, const double* p, double* q_dot, double* p_dot, bool shared);
  void read(const ReadLinks& read_links);
  void add_mass_beyond();
  screws::StretchWork<true>& work(std::size_t stretch) { return work_[stretch - begin_]; }

  Ranks ranks_;
  Pool pool_;
  SharedOrAlone sharing_;
  const screws::StretchKernels<true>& kernels_;
  std::vector<std::size_t> first_of_;  // link of every stretch, and one more
  std::vector<std::size_t> lengths_;   // of the segments of every stretch
  std::size_t begin_ = 0, end_ = 0;    // this rank's stretches
  std::vector<screws::Stretch> stretches_;
  std::vector<screws::StretchWork<true>> work_;
  std::vector<screws::MovingSteps<true>> moving_;  // of each thread
  std::vector<Join> joins_;
  std::vector<double> initial_q_;
  screws::Rotation root_{};
  screws::Vector3 gravity_{};
  double potential_ = 0.0;
  std::vector<double> sums_;  // of energies(), one for each stretch
};

}  // namespace hamiltree::giant
