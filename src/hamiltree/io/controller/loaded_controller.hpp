// A controller's file, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/io/controller/controller_host.hpp"

namespace hamiltree {

class LoadedController {
 public:
  virtual ~LoadedController() = default;
  // The outputs from the time t on, for a period. Throws std::runtime_error.
  virtual void step(double t, const double* inputs, double* outputs) = 0;

  // Nothing where it can give its state, and take it back in another process.
  virtual std::string why_not_saved() const = 0;
  virtual std::string save() = 0;
  virtual void restore(const std::string& state) = 0;
};

// By what the file is: a folder with modelDescription.xml is an unpacked FMU. Throw
// std::runtime_error.
std::unique_ptr<LoadedController> load_controller(const HostedController& controller);
std::unique_ptr<LoadedController> load_fmu_controller(const HostedController& controller);

// A function of a shared object; null where it has none of this name.
void* open_library(const std::string& file);
void* find_function(void* library, const char* name);

}  // namespace hamiltree
