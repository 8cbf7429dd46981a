// Errors at the edges of the engine: what a user sees when a file, a model or a run is bad.
// Inside the hot path nothing throws; see formulations/formulation.hpp for its Status.
#pragma once

#include <stdexcept>
#include <string>

namespace hamiltree {

// Where in a file something was said; line 0 means "not from a file".
struct SourceLocation {
  std::string file;
  int line = 0;
};

// "file:line: " or an empty string.
std::string to_prefix(const SourceLocation& where);

// A file or a mechanism that cannot be accepted (exit code 3). The message is one sentence that
// names the element; what() puts file:line in front of it.
class ModelError : public std::runtime_error {
 public:
  ModelError(SourceLocation where, std::string element, const std::string& sentence);

  const SourceLocation& where() const { return where_; }
  const std::string& element() const { return element_; }

 private:
  SourceLocation where_;
  std::string element_;
};

// A run that had to stop (exit code 1): not a number, step underflow, a loop that came apart.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(double time, const std::string& sentence, std::string body = {});

  double time() const { return time_; }              // s, the last good time
  const std::string& body() const { return body_; }  // where it began; empty: not known

 private:
  double time_;
  std::string body_;
};

// Options that make no sense together or name something unknown (exit code 2).
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hamiltree
