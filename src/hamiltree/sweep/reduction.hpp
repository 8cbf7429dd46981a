// Reduction: of a run no more than a few numbers. A Recorder that keeps them while the run goes on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/simulation/recording.hpp"
#include "hamiltree/sweep/study.hpp"

namespace hamiltree {

// The outputs of a study in its mechanism: columns of the trajectory by number.
class OutputPlan {
 public:
  // Throws ModelError for a channel or an event that there is not, and for two columns of the
  // results with one name, those of the parameters among them.
  OutputPlan(const std::vector<StudyOutput>& outputs, const std::vector<std::string>& parameters,
             const Model& model);

  // "final.q.A", "max.total_energy", "time.upright", with their units.
  const std::vector<Channel>& names() const { return names_; }
  // Columns of the trajectory, t first.
  const std::vector<Channel>& columns() const { return columns_; }

 private:
  friend class Reduction;
  struct Item {
    Take take;
    std::size_t column = 0;
    std::string event;
  };
  // One more name, which no other column may have.
  void add(Channel column, const std::vector<std::string>& parameters, const StudyOutput& output);

  std::vector<Channel> columns_, names_;
  std::vector<Item> items_;
};

class Reduction final : public Recorder {
 public:
  // The plan must outlive it. With `keeps` all rows of the trajectory are kept too.
  Reduction(const OutputPlan& plan, bool keeps) : plan_(plan), keeps_(keeps) {}

  void begin(const RecordingHeader& header) override;
  void sample(const Sample& sample) override;
  void finish(const Summary& summary) override;

  // A number for each name of the plan. Integrals are sums of trapezoids over the recorded samples,
  // extremes those of the recorded samples.
  const std::vector<double>& outputs() const { return outputs_; }
  // Rows of all columns, one after the other.
  const std::vector<double>& trajectory() const { return trajectory_; }

 private:
  const OutputPlan& plan_;
  bool keeps_;
  RecordingHeader header_;
  std::vector<double> row_, before_, outputs_, trajectory_;
};

}  // namespace hamiltree
