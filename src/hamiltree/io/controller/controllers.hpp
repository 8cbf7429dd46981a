// The controllers of a model in discrete time: they run beside a Simulation, files each in its own
// process, and are asked at multiples of their periods.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/controller/controller_process.hpp"
#include "hamiltree/io/controller/controllers_state.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {

class Controllers {
 public:
  // Starts the processes by this command, see ControllerProcess. Throws as that, and UsageError
  // where the model's controllers drive another simulation already.
  Controllers(const Model& model, const std::vector<std::string>& command);
  Controllers(const Controllers&) = delete;
  Controllers& operator=(const Controllers&) = delete;

  // Asks them for efforts where a run starts, at the initial state or at this one, before a
  // Simulation looks for them.
  void start(const std::optional<State>& state = {});

  // Checksums of the files, in the order of the model; empty for laws in this program.
  std::vector<std::string> checksums() const;

  // Why a run with them cannot be taken up again, without the end of the sentence; nothing if it
  // can.
  std::string why_not_saved() const;
  ControllersState save(double t);
  // Instead of start(). Throws std::runtime_error for states of others.
  void restore(double t, const ControllersState& state);

  // From where it stands; the simulation of the same model keeps them.
  static void drive(const std::shared_ptr<Controllers>& controllers, Simulation& simulation);

 private:
  struct One {
    std::shared_ptr<HeldController> controller;
    std::unique_ptr<ControllerProcess> process;  // of a file
  };
  double next() const;
  void ask(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  Model model_;
  std::vector<One> all_;
  double asked_until_ = 0.0;  // s
};

// Whether controllers are asked at multiples of their periods; they drive one Simulation at a time.
bool has_controllers(const Model& model);

// Those of a model, not yet started; null where it has none.
std::shared_ptr<Controllers> controllers_of(const Model& model,
                                            const std::vector<std::string>& command);

}  // namespace hamiltree
