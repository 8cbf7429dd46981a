// A native model file of a chain that is read a few links at a time, for chains that would not fit
// into memory as a Mechanism.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"

namespace hamiltree {

// Not for two threads at a time.
class ChainFile {
 public:
  // Throws as ModelSource::mechanism, and ModelError where the model has other joints than one for
  // each body, couplings, forces or events.
  ChainFile(const ModelSource& source, const std::vector<std::string>& overrides);
  ~ChainFile();

  std::size_t links() const { return links_; }
  std::size_t sensors() const { return sensors_; }

  // The bodies [first, last) in the order of the file, and the joint of the same number for each,
  // the first one's on the ground. Throws ModelError where a joint does not hold its body on the
  // one before, or has a spring or a limit.
  Mechanism links(std::size_t first, std::size_t last) const;

 private:
  struct Document;
  std::unique_ptr<Document> document_;
  std::string file_;
  std::size_t links_ = 0, sensors_ = 0;
};

}  // namespace hamiltree
