// SampleRunner: samples of a study, from their numbers to what is kept of their runs.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "hamiltree/batch/lockstep.hpp"
#include "hamiltree/io/model_variants.hpp"
#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/reduction.hpp"
#include "hamiltree/sweep/study.hpp"

namespace hamiltree {

// Thrown out of a run when the sweep is to end.
struct SweepInterrupted {};

// Shared by all samples of a study.
class SamplePlan {
 public:
  // Throws as run_sweep(). The study must outlive it.
  explicit SamplePlan(const SweepStudy& study);

  const SweepStudy& study() const { return study_; }
  const OutputPlan& outputs() const { return outputs_; }
  const ModelVariants& variants() const { return variants_; }
  // Checksums of the files of the controllers.
  const std::vector<std::string>& controllers() const { return controllers_; }
  // How many samples with consecutive numbers are run at a time: kLanes of them in lockstep, or 1.
  std::size_t unit() const { return base_pins_ ? kLanes : 1; }
  const std::optional<RevoluteMechanism>& base_pins() const { return base_pins_; }
  // Parameters of a sample, and the values that follow from them.
  std::vector<double> parameters(std::size_t sample) const {
    return study_.sampling.values(sample);
  }
  std::vector<double> settings(const std::vector<double>& parameters) const;

 private:
  void check_paths() const;

  const SweepStudy& study_;
  ModelVariants variants_;
  Model base_;
  OutputPlan outputs_;
  std::vector<std::string> controllers_;
  std::optional<RevoluteMechanism> base_pins_;  // where samples fit into lanes
};

// One for each thread.
class SampleRunner {
 public:
  // The plan must outlive it.
  SampleRunner(const SamplePlan& plan, std::function<bool()> interrupted);

  // Samples of one unit, side by side as far as they are like the study's own model; each is kept
  // as soon as it is finished. Throws SweepInterrupted, and std::runtime_error where a controller's
  // file is not that with which the sweep began.
  void run(std::span<const std::size_t> samples,
           const std::function<void(const SampleRecord&)>& keep);

 private:
  SampleRecord begun(std::size_t sample) const;
  void fail(const std::exception& error, SampleRecord& record) const;
  // The sample as one of those in lockstep; nothing if it has to be run by itself.
  std::optional<LockstepRun> for_lockstep(SampleRecord& record);
  void run_alone(SampleRecord& record);
  void run_in_lockstep(std::vector<SampleRecord>& records, std::span<const LockstepRun> runs);

  const SamplePlan& plan_;
  ModelVariants variants_;
  std::function<bool()> interrupted_;
};

}  // namespace hamiltree
