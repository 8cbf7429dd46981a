// Exit codes of the program. docs/cli.md has the table.
#pragma once

namespace hamiltree::app {

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,        // the simulation had to stop, or the program has an error of its own
  kUsage = 2,         // the command line makes no sense
  kInput = 3,         // a file or a model cannot be accepted, or a result cannot be written
  kGate = 4,          // the run is complete, but a gate on its errors failed
  kInterrupted = 130  // Ctrl-C
};

}  // namespace hamiltree::app
