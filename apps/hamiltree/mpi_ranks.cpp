#include "mpi_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "hamiltree/base/error.hpp"

#ifdef HAMILTREE_MPI
#include <mpi.h>
#endif

namespace hamiltree::app {
namespace {

// Environment variables that Open MPI, PMIx and PMI set.
bool is_started_by_mpi() {
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};
  return std::ranges::any_of(names, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

#ifdef HAMILTREE_MPI

MpiRanks::MpiRanks() {
  if (!is_started_by_mpi()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks_.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_.count);
  ranks_.meet = [] { MPI_Barrier(MPI_COMM_WORLD); };
  constexpr int kTag = 0;
  ranks_.send = [](int to, std::span<const double> numbers) {
    MPI_Send(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, to, kTag,
             MPI_COMM_WORLD);
  };
  ranks_.receive = [](int from, std::span<double> numbers) {
    MPI_Recv(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, from, kTag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
}

MpiRanks::~MpiRanks() {
  if (is_started_by_mpi()) MPI_Finalize();
}

void MpiRanks::end_all(int exit_code, std::string_view why) const {
  if (ranks_.count == 1) return;
  // Written at once, or another rank's words come in between.
  const auto line =
      "hamiltree: rank " + std::to_string(ranks_.rank) + ": " + std::string(why) + '\n';
  std::cerr.clear();
  std::cerr << line;
  MPI_Abort(MPI_COMM_WORLD, exit_code);
}

#else

MpiRanks::MpiRanks() {
  if (!is_started_by_mpi()) return;
  throw UsageError(
      "this program was built without MPI: install libopenmpi-dev, then configure and build again");
}
MpiRanks::~MpiRanks() = default;
void MpiRanks::end_all(int, std::string_view) const {}

#endif

}  // namespace hamiltree::app
