// hamiltree resume: takes up a run where its last checkpoint was made.
#pragma once

#include <string>

#include "run.hpp"

namespace hamiltree::app {

struct ResumeArguments {
  std::string folder;
  int threads = 1;
  OutputArguments output;
};

CLI::App* add_resume(CLI::App& app, ResumeArguments& arguments);

// Throws as simulate(), and std::runtime_error where nothing can be taken up.
void resume(const ResumeArguments& arguments);

}  // namespace hamiltree::app
