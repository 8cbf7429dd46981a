// CCompiler: the system's C compiler, called without a shell.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hamiltree::codegen {

class CCompiler {
 public:
  // The environment's CC, which may have options, or cc.
  CCompiler();

  const std::string& name() const { return command_.front(); }
  const std::vector<std::string>& command() const { return command_; }
  // Its own words on its version; empty where it does not run.
  const std::string& version() const { return version_; }
  bool runs() const { return runs_; }

  // The bytes of a shared library made of all sources that end in .c, by names and texts. Throws
  // std::runtime_error with the compiler's first complaint.
  std::string library(const std::vector<std::pair<std::string, std::string>>& sources,
                      const std::vector<std::string>& options) const;

 private:
  std::vector<std::string> command_;
  std::string version_;
  bool runs_ = false;
};

}  // namespace hamiltree::codegen
