// modelDescription.xml, and buildDescription.xml of FMI 3.0.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/io/export/fmu/variables.hpp"

namespace hamiltree::fmu {

struct Described {
  std::string name;        // the model's
  std::string identifier;  // of the C files and of the library
  std::string token;
  double step = 0.0;        // s
  bool has_loops = false;   // events of model exchange change the states
  bool has_events = false;  // of the model
  bool has_derivatives = false;
  std::vector<std::string> sources;
};

std::string description_2(const Described& fmu, const std::vector<Variable>& variables);
std::string description_3(const Described& fmu, const std::vector<Variable>& variables);
std::string build_description_3(const Described& fmu);

}  // namespace hamiltree::fmu
