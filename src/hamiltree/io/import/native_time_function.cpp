#include "hamiltree/io/import/native_time_function.hpp"

#include <string>
#include <vector>

namespace hamiltree {
namespace {

std::vector<double> read_list(TomlReader& reader, std::string_view key) {
  const Eigen::VectorXd values = reader.numbers(key);
  return {values.begin(), values.end()};
}

Polynomial read_polynomial(TomlReader& reader) { return {read_list(reader, "coefficients")}; }

SmoothStep read_smooth_step(TomlReader& reader) {
  SmoothStep step;
  step.from = reader.number_or("from", 0.0);
  step.to = reader.number("to");
  step.start = reader.number_or("start", 0.0);
  step.duration = reader.number("duration");
  return step;
}

Table read_table(TomlReader& reader) {
  Table table;
  table.times = read_list(reader, "times");
  table.values = read_list(reader, "values");
  table.start_rate = reader.number_or("start_rate", 0.0);
  table.end_rate = reader.number_or("end_rate", 0.0);
  return table;
}

TimeFunction read_of_type(TomlReader& reader) {
  const std::string type = reader.text("type");
  if (type == "polynomial") return read_polynomial(reader);
  if (type == "sine") return read_sine(reader);
  if (type == "smooth_step") return read_smooth_step(reader);
  if (type == "table") return read_table(reader);
  reader.fail_unknown("type", type, {"polynomial", "sine", "smooth_step", "table"});
}

}  // namespace

Sine read_sine(TomlReader& reader) {
  Sine sine;
  sine.constant = reader.number_or("constant", 0.0);
  sine.amplitude = reader.number_or("amplitude", 0.0);
  sine.frequency = reader.number_or("frequency", 0.0);
  sine.phase = reader.number_or("phase", 0.0);
  return sine;
}

std::optional<TimeFunction> read_time_function(TomlReader& reader, std::string_view key) {
  auto inner = reader.table(key);
  if (!inner) return std::nullopt;
  TimeFunction function = read_of_type(*inner);
  inner->finish();
  return function;
}

std::optional<TimeFunction> read_number_or_time_function(TomlReader& reader, std::string_view key) {
  if (!reader.has_number(key)) return read_time_function(reader, key);
  return Polynomial{{reader.number(key)}};
}

TimeVector read_time_vector(TomlReader& reader, std::string_view key) {
  TimeVector vector;
  auto inner = reader.table(key);
  if (!inner) return vector;
  for (const auto& part : kTimeVectorParts) {
    vector.*part.function = read_number_or_time_function(*inner, part.name);
  }
  inner->finish();
  return vector;
}

std::optional<FrameMotion> read_frame_motion(TomlReader& reader, std::string_view key,
                                             SpaceKind space) {
  auto inner = reader.table(key);
  if (!inner) return std::nullopt;
  FrameMotion motion;
  for (const auto& part : kFrameMotionParts) {
    if (space == SpaceKind::kPlanar && !part.in_the_plane) continue;
    motion.*part.function = read_time_function(*inner, part.name);
  }
  inner->finish();
  return motion;
}

}  // namespace hamiltree
