// The controllers of a model that are files: they run beside a Simulation, each in its own process,
// and are asked at multiples of their periods.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/io/controller/controller_process.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {

bool has_controller_files(const Model& model);

class Controllers {
 public:
  // Starts the processes by this program, and asks for efforts at the start, before a Simulation
  // looks for them. Throws as ControllerProcess.
  Controllers(const Model& model, const std::string& program);

  // The simulation of the same model must not outlive them.
  void drive(Simulation& simulation);

 private:
  double next(double now) const;
  void ask(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  Model model_;
  std::vector<std::unique_ptr<ControllerProcess>> processes_;
  double asked_until_ = -1.0;  // s; negative: not yet
};

}  // namespace hamiltree
