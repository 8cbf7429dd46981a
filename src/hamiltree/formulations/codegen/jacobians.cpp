#include "hamiltree/formulations/codegen/jacobians.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/trace_derivatives.hpp"

namespace hamiltree::codegen {
namespace {

struct Columns {
  const char *name, *meaning;
};
constexpr std::array kColumns{Columns{"q", "coordinates"}, Columns{"p", "momenta"},
                              Columns{"t", "the time"}};

}  // namespace

Routine jacobians_of(const Routine& rates) {
  Routine routine;
  routine.name = "jacobians";
  routine.meaning =
      "The derivatives of the rates with respect to the state and the time, matrices row by row.";
  routine.inputs = rates.inputs;
  const TraceScope scope(routine.trace);
  const auto derivatives = differentiate(rates.trace, inputs_like(rates.trace, routine.trace));
  std::size_t row = 0;
  for (const auto& output : rates.outputs) {
    for (const auto& [name, meaning] : kColumns) {
      std::size_t first = 0, count = 0;
      for (const auto& input : rates.inputs) {
        count = at(input.size);
        if (input.name == name) break;
        first += count;
      }
      const std::string name_of_all = output.name + "_" + name;
      for (std::size_t r = row; r < row + at(output.size); ++r)
        for (std::size_t c = first; c < first + count; ++c)
          routine.trace.output(name_of_all, derivatives.by_input[r][c]);
      routine.outputs.push_back({name_of_all, output.size * static_cast<int>(count),
                                 "d(" + output.name + ") / d(" + meaning + ")"});
    }
    row += at(output.size);
  }
  return routine;
}

}  // namespace hamiltree::codegen
