// Functions of time in other units.
#pragma once

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

// The function with its values and its time in other units.
inline TimeFunction scaled(const TimeFunction& said, double value, double time) {
  TimeFunction f = said;
  if (auto* polynomial = std::get_if<Polynomial>(&f)) {
    double factor = value;
    for (auto& c : polynomial->coefficients) {
      c *= factor;
      factor /= time;
    }
  } else if (auto* sine = std::get_if<Sine>(&f)) {
    sine->constant *= value;
    sine->amplitude *= value;
    sine->frequency /= time;
  } else if (auto* step = std::get_if<SmoothStep>(&f)) {
    step->from *= value;
    step->to *= value;
    step->start *= time;
    step->duration *= time;
  } else if (auto* table = std::get_if<Table>(&f)) {
    for (auto& t : table->times) t *= time;
    for (auto& v : table->values) v *= value;
    table->start_rate *= value / time;
    table->end_rate *= value / time;
  }
  return f;
}

inline TimeVector scaled(TimeVector said, double value, double time) {
  for (const auto& part : kTimeVectorParts) {
    auto& component = said.*part.function;
    if (component) component = scaled(*component, value, time);
  }
  return said;
}

}  // namespace hamiltree::test
