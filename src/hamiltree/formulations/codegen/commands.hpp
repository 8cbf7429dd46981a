// Commands: other programs, run without a shell and to their end.
//
// They are in groups of their own: Ctrl-C, which a run may take for the end of a step, does not end
// them. Where Ctrl-C would end this program they go first. So it takes effect where Commands and
// all that was made for them are gone.
#pragma once

#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

namespace hamiltree::codegen {

class Commands {
 public:
  Commands();
  // Ends the program after a Ctrl-C that would have.
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  // The exit status, 127 where there is no such program; what it says goes to the file.
  int run(const std::vector<std::string>& words, const std::filesystem::path& output) const;

 private:
  bool takes_interrupts_ = false;
  struct sigaction previous_ {};
};

}  // namespace hamiltree::codegen
