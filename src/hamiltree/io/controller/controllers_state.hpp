// ControllersState: what controllers that are files remember, as a checkpoint has it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace hamiltree {

struct ControllersState {
  struct One {
    std::string name;
    std::string file;             // checksum of its file
    std::vector<double> efforts;  // held
    std::string bytes;            // the controller's own
  };
  double asked_until = 0.0;  // s
  std::vector<One> all;
};

nlohmann::ordered_json to_json_of(const ControllersState& state);
// Throws std::runtime_error or an exception of nlohmann::json for what is none.
ControllersState controllers_state(const nlohmann::ordered_json& object);

}  // namespace hamiltree
