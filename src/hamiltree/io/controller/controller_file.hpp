// HeldController: a controller in discrete time, whose efforts are held for a period. It is a file
// that a model names, a shared object or an FMU, or a law in this program.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/model/callbacks.hpp"

namespace hamiltree {

struct HeldController {
  HeldController() = default;
  HeldController(const HeldController&) = delete;
  HeldController& operator=(const HeldController&) = delete;
  virtual ~HeldController() = default;

  std::string name;
  double period = 0.0;  // s
  SourceLocation where;
  std::atomic<bool> is_run{false};  // by a simulation, of which there is one at a time
  std::vector<double> efforts;      // held now; empty while nothing runs it
};

struct ControllerFile final : HeldController {
  struct Input {
    std::string joint;
    bool is_rate = false;  // or its coordinate
    std::string variable;  // of an FMU
  };

  std::filesystem::path file;
  double timeout = 0.0;  // s, by the clock, of one answer
  std::vector<Input> inputs;
  std::vector<std::string> outputs;  // variables of an FMU, one for each joint of the Controller
};

// It is called once a period, in the order of time, and may remember. Its efforts add up.
struct SampledLaw final : HeldController {
  std::function<void(Controls&)> law;
};

// The law of a Controller in discrete time.
struct HeldEfforts {
  std::shared_ptr<HeldController> controller;

  // Throws UsageError where nothing runs the controller.
  void operator()(Controls& controls) const;
};

// A Controller whose law is called once a period (s). Throws UsageError for a period that is not
// more than 0.
Controller sampled(Controller controller, double period);

}  // namespace hamiltree
