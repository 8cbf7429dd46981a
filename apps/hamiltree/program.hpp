// Shared by both programs: the choice of a command, and every error as one sentence on
// stderr and an exit code.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace hamiltree::app {

struct Program {
  std::string name, about;
  std::string examples;  // one line each
  std::vector<AddCommand> commands;
  std::string elsewhere;  // where other commands are, as the end of a sentence; empty: nowhere
};

// The commands that help lists.
std::vector<const CLI::App*> listed_commands(const CLI::App& app);

// The exit code.
int run_program(const Program& program, int argc, const char* const* argv);

}  // namespace hamiltree::app
