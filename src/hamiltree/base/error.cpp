#include "hamiltree/base/error.hpp"

#include <utility>

#include "hamiltree/base/text.hpp"

namespace hamiltree {

std::string to_prefix(const SourceLocation& where) {
  if (where.file.empty()) return {};
  if (where.line == 0) return where.file + ": ";
  return where.file + ":" + std::to_string(where.line) + ": ";
}

ModelError::ModelError(SourceLocation where, std::string element, const std::string& sentence)
    : std::runtime_error(to_prefix(where) + sentence),
      where_(std::move(where)),
      element_(std::move(element)) {}

SimulationError::SimulationError(double time, const std::string& sentence, std::string body)
    : std::runtime_error("t = " + to_text(time) + " s: " + sentence),
      time_(time),
      body_(std::move(body)) {}

}  // namespace hamiltree
