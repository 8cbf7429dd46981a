#include "force_keywords.hpp"

#include <utility>

#include "vectors.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// Two or three components, None for those that are zero.
TimeVector time_vector_of(const char* key, const py::handle& vector) {
  TimeVector result;
  if (vector.is_none()) return result;
  std::vector<py::object> given;
  if (py::isinstance<py::sequence>(vector) && !number_of(vector))
    given = vector.cast<std::vector<py::object>>();
  if (given.size() != 2 && given.size() != 3)
    refuse((std::string(key) + " needs two or three components").c_str(), vector);
  std::optional<TimeFunction>* const parts[] = {&result.x, &result.y, &result.z};
  for (std::size_t i = 0; i < given.size(); ++i) *parts[i] = optional_function_of(given[i]);
  return result;
}

// (body, position) or (body, position, ratio) each.
std::vector<RopePoint> rope_of(const py::handle& points) {
  std::vector<RopePoint> rope;
  const auto is_list = [](const py::handle& x) {
    return py::isinstance<py::sequence>(x) && !py::isinstance<py::str>(x);
  };
  if (!is_list(points))
    refuse("points are a list of (body, position) or (body, position, ratio)", points);
  for (const auto& point : points) {
    const auto parts =
        is_list(point) ? point.cast<std::vector<py::object>>() : std::vector<py::object>();
    const auto ratio = parts.size() == 3 ? number_of(parts[2]) : std::optional(1.0);
    if ((parts.size() != 2 && parts.size() != 3) || !py::isinstance<py::str>(parts[0]) || !ratio)
      refuse("a point of a rope is (body, position) or (body, position, ratio)", point);
    rope.push_back({parts[0].cast<std::string>(), position_of(parts[1]), *ratio});
  }
  return rope;
}

bool is_given(const std::optional<py::object>& value) { return value && !value->is_none(); }

}  // namespace

Keywords::Keywords(std::string callee, const py::kwargs& given)
    : callee_(std::move(callee)), left_(given) {}

std::optional<py::object> Keywords::take(const char* key) {
  if (!left_.contains(key)) return std::nullopt;
  py::object value = left_[key];
  PyDict_DelItemString(left_.ptr(), key);
  return value;
}

py::object Keywords::require(const char* key) {
  auto value = take(key);
  if (!value) fail(std::string("misses the argument '") + key + "'");
  return *value;
}

void Keywords::finish() const {
  for (const auto& [key, value] : left_) {
    fail("got an unexpected keyword argument '" + key.cast<std::string>() + "'");
  }
}

void Keywords::fail(const std::string& why) const { throw py::type_error(callee_ + "() " + why); }

void Keywords::fail_type(const char* key, const py::object& value) const {
  fail("cannot take " + py::repr(value).cast<std::string>() + " as '" + key + "'");
}

void KeywordReader::numbers(const char* key, std::vector<double>& list) {
  list = numbers_of(keywords_.require(key));
}

void KeywordReader::point(const char* key, Eigen::Vector3d& x, const std::string&) {
  const auto given = keywords_.take(key);
  if (is_given(given)) x = position_of(*given);
}

void KeywordReader::frame(const char* key, Frame& X, const std::string&) {
  const auto given = keywords_.take(key);
  if (given) X = frame_of(*given);
}

void KeywordReader::along_axes(const char* key, Eigen::Vector3d& x, Range) {
  const auto given = keywords_.take(key);
  if (!given) return;
  const auto numbers = numbers_of(*given);
  x = numbers.size() == 1 ? Eigen::Vector3d::Constant(numbers[0]).eval() : position_of(*given);
}

void KeywordReader::function(const char* key, TimeFunction& f, Need need) {
  const auto given =
      need == Need::kRequired ? std::optional(keywords_.require(key)) : keywords_.take(key);
  f = given ? function_of(*given) : Polynomial{{0.0}};
}

void KeywordReader::along_axes_in_time(const char* key, TimeVector& f) {
  const auto given = keywords_.take(key);
  if (given) f = time_vector_of(key, *given);
}

// A function alone is about z.
void KeywordReader::about_axes_in_time(const char* key, TimeVector& f) {
  const auto given = keywords_.take(key);
  if (!given) return;
  if (number_of(*given) || !py::isinstance<py::sequence>(*given)) {
    f.z = optional_function_of(*given);
  } else {
    f = time_vector_of(key, *given);
  }
}

void KeywordReader::rope(std::vector<RopePoint>& points) {
  std::optional<std::string> body_a, body_b;
  keywords_.set("body_a", body_a);
  keywords_.set("body_b", body_b);
  const auto point_a = keywords_.take("point_a"), point_b = keywords_.take("point_b");
  const auto all = keywords_.take("points");
  const bool any_end = body_a || body_b || is_given(point_a) || is_given(point_b);
  if (is_given(all) ? any_end : !body_a || !body_b) {
    throw UsageError("either points, or body_a and body_b with point_a and point_b");
  }
  if (is_given(all)) {
    points = rope_of(*all);
    return;
  }
  const auto end = [](const std::string& body, const std::optional<py::object>& point) {
    return RopePoint{body, is_given(point) ? position_of(*point) : Eigen::Vector3d::Zero().eval()};
  };
  points = {end(*body_a, point_a), end(*body_b, point_b)};
}

void KeywordReader::pulled(std::vector<std::string>& joints, std::vector<double>& ratios,
                           std::vector<RopePoint>& points) {
  keywords_.set("joints", joints);
  std::optional<std::vector<double>> given;
  keywords_.set("ratios", given);
  ratios = given ? *given : std::vector<double>(joints.size(), 1.0);
  const auto rope = keywords_.take("points");
  if (is_given(rope)) points = rope_of(*rope);
}

}  // namespace hamiltree::bindings
