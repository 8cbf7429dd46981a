// This process among those that mpirun, or srun, has started.
#pragma once

#include "hamiltree/base/ranks.hpp"

namespace hamiltree::app {

// Alone unless mpirun has started it; then throws UsageError where the build has no MPI. MPI is
// begun by the constructor and ended by the destructor.
class MpiRanks {
 public:
  MpiRanks();
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks();

  const Ranks& ranks() const { return ranks_; }
  // Ends all ranks, for one of them cannot go on; returns where it is alone.
  void abort(int exit_code) const;

 private:
  Ranks ranks_;
};

}  // namespace hamiltree::app
