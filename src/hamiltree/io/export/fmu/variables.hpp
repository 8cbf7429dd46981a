// The variables of an FMU: where each has its place in the array of an instance, and what
// modelDescription.xml says of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::fmu {

// Entries of the array with a common name, such as q: the C files call it FMU_Q.
struct Block {
  std::string name;
  int first = 0, count = 0;
};

// In this order: what can be set, the state, what follows from it; the array ends with what only
// the FMU itself sees.
class Layout {
 public:
  explicit Layout(const Model& model, const codegen::CFile& file);

  const std::vector<Block>& blocks() const { return blocks_; }
  const Block& operator[](const std::string& name) const;
  int size() const { return blocks_.back().first + blocks_.back().count; }

 private:
  std::vector<Block> blocks_;
};

enum class Causality { kIndependent, kParameter, kTunableParameter, kInput, kOutput, kLocal };

struct Variable {
  std::string name, description, unit;
  int reference = 0;  // its entry of the array
  Causality causality = Causality::kOutput;
  std::optional<double> start;  // without it the variable is calculated
  std::optional<double> minimum;
  std::optional<double> nominal;  // of a state
  int derivative_of = -1;         // its state, by its number in the list
  bool is_state = false;
  bool is_event_indicator = false;
  bool is_discrete = false;  // changes at events only
};

// In the order of their entries.
std::vector<Variable> variables_of(const Model& model, const codegen::CFile& file,
                                   const Layout& layout, const std::vector<double>& start,
                                   const std::vector<double>& nominals);

// Start values of all entries.
std::vector<double> start_of(const Model& model, const codegen::CFile& file, const Layout& layout,
                             double step);
// Nominal values of the states q, p.
std::vector<double> nominals_of(const Model& model);

}  // namespace hamiltree::fmu
