// ControllerProcess: a controller's file in a process of its own, so that what goes wrong in it
// cannot take the simulation along.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/io/controller/controller_file.hpp"

namespace hamiltree {

class ControllerProcess {
 public:
  // By this program, whose command run-controller is. Throws ModelError where the file cannot be
  // loaded.
  ControllerProcess(std::shared_ptr<ControllerFile> controller, const std::string& program);
  ~ControllerProcess();
  ControllerProcess(const ControllerProcess&) = delete;
  ControllerProcess& operator=(const ControllerProcess&) = delete;

  ControllerFile& controller() const { return *controller_; }
  // Efforts from these inputs at the time t. Throws SimulationError.
  void step(double t, const std::vector<double>& inputs);

 private:
  void spawn(const std::string& program);
  // Why there is no answer, or nothing where there is one.
  std::string ask(const void* question, std::size_t size, std::vector<double>& outputs);
  std::string receive(void* bytes, std::size_t size);
  std::string how_it_ended();
  int wait_or_kill(double seconds);
  void end();
  std::string said() const;

  std::shared_ptr<ControllerFile> controller_;
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace hamiltree
