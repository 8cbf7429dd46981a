#include "hardware/compiler/compile_step.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hardware/compiler/lower.hpp"

namespace hamiltree::hardware {

namespace {

Graph graph_of(const Model& model, const Trace& trace, const Latency& latency, bool joins_pivots) {
  try {
    return lower(trace, latency, joins_pivots);
  } catch (const std::range_error& error) {
    throw ModelError({model.name(), 0}, model.name(),
                     std::string("A number of its step, ") + error.what() + ".");
  }
}

}  // namespace

CompiledStep compile_step(const Model& model, Update update, double h, const EngineShape& shape,
                          int instances) {
  auto step = trace_planar_step(model, update, h);
  const auto graph = [&](bool joins_pivots) {
    Graph one = graph_of(model, step.trace, shape.latency, joins_pivots);
    return instances == 1 ? one : interleaved(one, instances);
  };
  Graph apart = graph(false);
  Graph joined = graph(true);
  const bool joins = make_schedule(joined, shape).length < make_schedule(apart, shape).length;
  auto best = compile(joins ? std::move(joined) : std::move(apart), shape);
  return {std::move(step.words), std::move(best.graph), std::move(best.program),
          std::move(best.report)};
}

}  // namespace hamiltree::hardware
