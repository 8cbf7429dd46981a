// This process among those that mpirun, or srun, has started.
#pragma once

#include <string_view>

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
  // Says why this rank cannot go on and ends them all, for the others would wait for it for ever;
  // returns, and says nothing, where it is alone.
  void end_all(int exit_code, std::string_view why) const;

 private:
  Ranks ranks_;
};

}  // namespace hamiltree::app
