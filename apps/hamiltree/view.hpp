// hamiltree view: shows a run, or two over one another, in a browser, also while it goes on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.hpp"

namespace hamiltree::app {

struct ViewArguments {
  std::vector<std::string> runs;
  int port = 0;  // 0: any that is free
};

CLI::App* add_view(CLI::App& app, ViewArguments& arguments);

// Serves until Ctrl-C. Throws std::runtime_error where a run cannot be read or the port is taken.
void view(const ViewArguments& arguments);

}  // namespace hamiltree::app
