#include "hamiltree/io/export/model/toml_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"

namespace hamiltree::toml_text {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04X", static_cast<unsigned>(c));
      result += code.data();
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// A whole number needs a point: without one TOML reads an integer, which has an end.
std::string number(double value) {
  std::string text = to_text(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string array(const Eigen::VectorXd& values) {
  std::string text = "[";
  for (const double value : values) text += (text.size() > 1 ? ", " : "") + number(value);
  return text + "]";
}

std::string array(const std::vector<std::string>& texts) {
  std::string text;
  for (const auto& each : texts) text += (text.empty() ? "" : ", ") + quoted(each);
  return "[" + text + "]";
}

std::string vector(const Eigen::Vector3d& x, SpaceKind space) {
  return array(x.head(space == SpaceKind::kPlanar ? 2 : 3));
}

std::string table(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string text;
  for (const auto& [key, value] : entries) {
    if (!value.empty()) text += (text.empty() ? "{ " : ", ") + key + " = " + value;
  }
  return text.empty() ? text : text + " }";
}

std::string frame(const Frame& frame, SpaceKind space) {
  const bool turned = !frame.rotation.isIdentity(0.0);
  const bool planar = space == SpaceKind::kPlanar;
  return table(
      {{"position", frame.position.isZero(0.0) ? "" : vector(frame.position, space)},
       {"angle",
        turned && planar ? number(std::atan2(frame.rotation(1, 0), frame.rotation(0, 0))) : ""},
       {"quat_wxyz", turned && !planar ? array(to_quat_wxyz(frame.rotation)) : ""}});
}

namespace {

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

struct FunctionText {
  std::string operator()(const Polynomial& f) const {
    return table(
        {{"type", quoted("polynomial")}, {"coefficients", array(to_vector(f.coefficients))}});
  }
  std::string operator()(const Sine& f) const {
    return table({{"type", quoted("sine")},
                  {"constant", number(f.constant)},
                  {"amplitude", number(f.amplitude)},
                  {"frequency", number(f.frequency)},
                  {"phase", number(f.phase)}});
  }
  std::string operator()(const SmoothStep& f) const {
    return table({{"type", quoted("smooth_step")},
                  {"from", number(f.from)},
                  {"to", number(f.to)},
                  {"start", number(f.start)},
                  {"duration", number(f.duration)}});
  }
  std::string operator()(const Table& f) const {
    return table({{"type", quoted("table")},
                  {"times", array(to_vector(f.times))},
                  {"values", array(to_vector(f.values))},
                  {"start_rate", number(f.start_rate)},
                  {"end_rate", number(f.end_rate)}});
  }
};

}  // namespace

std::string function(const TimeFunction& function) { return std::visit(FunctionText{}, function); }

}  // namespace hamiltree::toml_text
