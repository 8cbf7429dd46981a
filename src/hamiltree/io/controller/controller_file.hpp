// ControllerFile: a controller that a model names by its file, a shared object or an FMU, which
// sees joints and acts on joints. Its efforts are held for a period.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/model/callbacks.hpp"

namespace hamiltree {

struct ControllerFile {
  struct Input {
    std::string joint;
    bool is_rate = false;  // or its coordinate
    std::string variable;  // of an FMU
  };

  std::string name;
  std::filesystem::path file;
  double period = 0.0, timeout = 0.0;  // s; the latter by the clock, of one answer
  std::vector<Input> inputs;
  std::vector<std::string> outputs;  // variables of an FMU, one for each joint of the Controller
  SourceLocation where;
  std::vector<double> efforts;  // held now; empty while nothing runs it
};

// The law of a Controller that is a file.
struct HeldEfforts {
  std::shared_ptr<ControllerFile> controller;

  // Throws UsageError where nothing runs the controller.
  void operator()(Controls& controls) const;
};

}  // namespace hamiltree
