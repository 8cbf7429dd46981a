// Command: one word of a program's command line, with its options and what runs it.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace hamiltree::app {

struct Command {
  CLI::App* parser = nullptr;
  std::function<void()> run;  // after parsing; throws what stops it
};

// Adds a command to the parser of a program.
using AddCommand = std::function<Command(CLI::App&)>;

}  // namespace hamiltree::app
