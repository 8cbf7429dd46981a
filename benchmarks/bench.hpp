// This engine beside others: same mechanisms, same states, results held against each other before
// anything is timed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/cases.hpp"
#include "benchmarks/limits.hpp"
#include "benchmarks/peers.hpp"
#include "benchmarks/runs.hpp"
#include "benchmarks/threads.hpp"
#include "hamiltree/base/timing.hpp"

namespace hamiltree::benchmarks {

struct BenchOptions {
  bool quick = false;                  // in seconds: small sizes, few rounds
  std::string only;                    // a family; empty: all
  std::vector<Mechanism> models = {};  // the user's own, instead of families
  std::filesystem::path peers = default_peer_folder();
  std::function<void(std::string_view)> progress = [](std::string_view) {};
};

enum class Outcome {
  kTimed,
  kMissing,    // the engine is not there
  kRefused,    // it cannot take this mechanism
  kDisagrees,  // it computes another motion, and so is not timed
};
const char* to_text(Outcome outcome);

struct Contest {
  std::string engine;  // "hamiltree recursive", "Pinocchio"
  bool own = false;
  Outcome outcome = Outcome::kTimed;
  std::string why;                   // it is not timed
  std::optional<double> difference;  // of the results, relative; none: nothing to hold it against
  bool soft = false;                 // its loops give: the difference is told, not judged
  Timing timing;
  std::optional<double> flops;  // additions and multiplications of one call, counted
};

struct CaseResult {
  std::string name;  // of a machine
  int size = 0, bodies = 0, loops = 0;
  std::size_t states = 0;
  std::vector<Contest> contests;
};

struct FamilyResult {
  Family family;
  std::vector<CaseResult> cases;
};

struct BenchResult {
  MachineLimits limits;
  std::vector<Peer> peers;
  std::vector<FamilyResult> families;
  std::vector<ThreadsResult> threads;
  std::vector<RunResult> runs;

  bool all_agree() const;
};

// Throws UsageError where there is no such family.
BenchResult run_bench(const BenchOptions& options);

}  // namespace hamiltree::benchmarks
