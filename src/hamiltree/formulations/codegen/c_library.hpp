// CLibrary: a generated file, compiled by the system's C compiler, kept in the user's cache and
// loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/codegen/generate.hpp"

namespace hamiltree::codegen {

class CLibrary {
 public:
  // The compiler is the environment's CC, or cc; the cache $XDG_CACHE_HOME/hamiltree/generated, or
  // that of ~/.cache. Throws UsageError where there is no compiler or no cache, std::runtime_error
  // where the compiler fails.
  explicit CLibrary(const CFile& file);

  // Takes one pointer for each argument, to numbers as well.
  using Function = void (*)(const double* const* inputs, double* const* outputs);
  // By its name in the file; null if it is not there.
  Function find(const std::string& name) const;

 private:
  std::shared_ptr<void> handle_;
};

}  // namespace hamiltree::codegen
