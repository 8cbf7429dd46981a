// A study of many samples of one mechanism, as its file says it: docs/formats/study.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/sweep/expression.hpp"
#include "hamiltree/sweep/sampling.hpp"

namespace hamiltree {

// The part of a channel that is kept of each sample's run.
enum class Take { kFinal, kMinimum, kMaximum, kIntegral, kEvent };

struct StudyOutput {
  Take take = Take::kFinal;
  std::string channel;   // as in trajectory.csv, or a group of them: "q", "v", "p", a sensor's name
  std::string event;     // of kEvent: its first time, s; not a number where it does not happen
  SourceLocation where;  // of the channel or event
  std::string element;
};

// A value of the model file that follows from the parameters.
struct StudySetting {
  std::string path;
  Expression value;
  SourceLocation where;  // of the path
  std::string element;   // as messages call it
};

struct SweepStudy {
  std::string file, text;  // of the study itself
  ModelSource model;
  std::vector<std::string> overrides;   // of the model in all samples, "path=value"
  std::vector<std::string> parameters;  // names
  Sampling sampling;
  std::vector<StudySetting> settings;
  SimulationOptions options;
  SourceLocation run;  // of the table of options, if there is one
  // Runs the files of the model's controllers, see ControllerProcess; not of the study's file.
  std::vector<std::string> controller_command;
  double until = 10.0;        // s
  double every = 0.0;         // s, as of Simulation::run_until
  bool trajectories = false;  // all samples of all runs are kept
  std::vector<StudyOutput> outputs;
};

// Reads a study and its model; what the import of the model has to tell goes to the log. Throws
// ModelError with file and line of what cannot be accepted.
SweepStudy read_study(const std::filesystem::path& file, const ImportOptions& options,
                      ImportLog& log, const std::vector<std::string>& overrides = {});

}  // namespace hamiltree
