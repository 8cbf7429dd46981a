#include "hamiltree/io/import/native_force.hpp"

#include <utility>
#include <variant>

namespace hamiltree {

void FieldReader::per_axis(const char* key, Eigen::Vector3d& x, Eigen::Index axes) {
  if (!reader_.has(key)) return;
  if (reader_.has_number(key)) {
    x.head(axes).setConstant(reader_.number(key));
  } else {
    x.head(axes) = reader_.numbers(key, {axes});
  }
}

std::vector<RopePoint> FieldReader::read_points() {
  std::vector<RopePoint> points;
  for (auto& point : reader_.inner_tables("points")) {
    const std::string body = point.text("body");
    const Eigen::Vector3d position = read_vector_or_zero(point, "position", space_);
    points.push_back({body, position, point.number_or("ratio", 1.0)});
    point.finish();
  }
  return points;
}

void FieldReader::rope(std::vector<RopePoint>& points) {
  for (const auto* key : {"body_a", "point_a", "body_b", "point_b"})
    reader_.exclusive({"points", key});
  if (reader_.has("points")) {
    points = read_points();
    return;
  }
  for (const std::string end : {"_a", "_b"}) {
    const std::string body = reader_.text("body" + end);
    points.push_back({body, read_vector_or_zero(reader_, "point" + end, space_)});
  }
}

void FieldReader::pulled(std::vector<std::string>& joints, std::vector<double>& ratios,
                         std::vector<RopePoint>& points) {
  reader_.exclusive({"joint", "joints", "points"});
  for (const auto* key : {"joint", "points"}) reader_.exclusive({"ratios", key});
  if (reader_.has("points")) {
    points = read_points();
  } else if (reader_.has("joints")) {
    joints = reader_.texts("joints");
    numbers("ratios", ratios);
  } else {
    joints = {reader_.text("joint")};
    ratios = {1.0};
  }
}

void FieldReader::function(const char* key, TimeFunction& f, Need need) {
  if (need == Need::kRequired) {
    for (const auto* of_sine : {"constant", "amplitude", "frequency", "phase"})
      reader_.exclusive({key, of_sine});
  }
  if (auto given = read_number_or_time_function(reader_, key)) {
    f = *given;
  } else if (need == Need::kRequired) {
    if (!reader_.has("constant") && !reader_.has("amplitude"))
      reader_.fail(key, reader_.full(key) + " is missing, and so are constant and amplitude");
    f = read_sine(reader_);
  }
}

namespace {

// Tries one kind of force after the other, as far as files know them.
template <std::size_t kKind = 0>
ForceDescription read_as(const std::string& type, TomlReader& reader, SpaceKind space,
                         std::vector<std::string>& known) {
  if constexpr (kKind == std::variant_size_v<ForceDescription>) {
    reader.fail_unknown("type", type, known);
  } else {
    using Force = std::variant_alternative_t<kKind, ForceDescription>;
    if constexpr (requires { Force::kType; }) {
      if (type == Force::kType) {
        Force force;
        Force::fields(force, FieldReader(reader, space));
        return force;
      }
      known.emplace_back(Force::kType);
    }
    return read_as<kKind + 1>(type, reader, space, known);
  }
}

}  // namespace

ForceDescription read_force_of_type(const std::string& type, TomlReader& reader, SpaceKind space) {
  std::vector<std::string> known;
  return read_as(type, reader, space, known);
}

}  // namespace hamiltree
