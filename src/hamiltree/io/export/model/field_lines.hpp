// The fields of a force (model/forces/fields.hpp) as lines of a native model file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hamiltree/io/export/model/toml_text.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The numbers of a description in the order of its fields.
struct FieldNumbers : IgnoreFields {
  std::vector<double> all;

  using IgnoreFields::number;
  void number(const char*, const double& x, Range, Need = Need::kOptional) { all.push_back(x); }
};

// Leaves out what a reader fills in: numbers as in a fresh description, zero vectors and frames.
class FieldLines {
 public:
  FieldLines(SpaceKind space, std::vector<double> defaults)
      : space_(space), defaults_(std::move(defaults)) {}

  std::string take_text() { return std::move(text_); }

  void number(const char* key, double x, Range, Need = Need::kOptional) {
    if (x != defaults_[next_++]) line(key, toml_text::number(x));
  }
  void number(const char* key, const std::optional<double>& x, Range) {
    if (x) line(key, toml_text::number(*x));
  }
  void numbers(const char* key, const std::vector<double>& list) {
    line(key, toml_text::array(Eigen::VectorXd::Map(list.data(), std::ssize(list))));
  }

  void body(const char* key, const std::string& name) { line(key, toml_text::quoted(name)); }
  void moved_body(const char* key, const std::string& name) { body(key, name); }
  void joint(const char* key, const std::string& name) { body(key, name); }

  void point(const char* key, const Eigen::Vector3d& x, const std::string&) { vector(key, x); }
  void frame(const char* key, const Frame& X, const std::string&) {
    line(key, toml_text::frame(X, space_));
  }
  void along_axes(const char* key, const Eigen::Vector3d& x, Range) { vector(key, x); }
  void about_axes(const char* key, const Eigen::Vector3d& x, Range) {
    if (x.isZero(0.0)) return;
    line(key, space_ == SpaceKind::kPlanar ? toml_text::number(x.z()) : toml_text::array(x));
  }

  void function(const char* key, const TimeFunction& f, Need) { line(key, toml_text::function(f)); }
  void along_axes_in_time(const char* key, const TimeVector& f) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const auto& [axis, part] : kTimeVectorParts) {
      if (f.*part) parts.emplace_back(axis, toml_text::function(*(f.*part)));
    }
    line(key, toml_text::table(parts));
  }
  void about_axes_in_time(const char* key, const TimeVector& f) { along_axes_in_time(key, f); }
  template <class Choice, class Words>
  void word(const char* key, const Choice& choice, const Words& words) {
    line(key, toml_text::quoted(words[static_cast<std::size_t>(choice)]));
  }

  void rope(const std::vector<RopePoint>& points) {
    if (points.size() != 2 || points.front().ratio != 1.0) return line("points", list(points));
    line("body_a", toml_text::quoted(points[0].body));
    line("body_b", toml_text::quoted(points[1].body));
    vector("point_a", points[0].position);
    vector("point_b", points[1].position);
  }
  void pulled(const std::vector<std::string>& joints, const std::vector<double>& ratios,
              const std::vector<RopePoint>& points) {
    if (!points.empty()) {
      line("points", list(points));
    } else if (joints.size() == 1 && ratios.front() == 1.0) {
      line("joint", toml_text::quoted(joints.front()));
    } else {
      line("joints", toml_text::array(joints));
      numbers("ratios", ratios);
    }
  }

 private:
  // Nothing for an empty value.
  void line(std::string_view key, const std::string& value) {
    if (!value.empty()) text_ += std::string(key) + " = " + value + '\n';
  }
  void vector(std::string_view key, const Eigen::Vector3d& x) {
    if (!x.isZero(0.0)) line(key, toml_text::vector(x, space_));
  }
  std::string list(const std::vector<RopePoint>& points) const {
    std::string text;
    for (const auto& [body, position, ratio] : points) {
      text += (text.empty() ? "" : ", ") +
              toml_text::table(
                  {{"body", toml_text::quoted(body)},
                   {"position", position.isZero(0.0) ? "" : toml_text::vector(position, space_)},
                   {"ratio", ratio == 1.0 ? "" : toml_text::number(ratio)}});
    }
    return "[" + text + "]";
  }

  SpaceKind space_;
  std::vector<double> defaults_;
  std::size_t next_ = 0;
  std::string text_;
};

template <class Force>
std::string field_lines(const Force& force, SpaceKind space) {
  FieldNumbers defaults;
  const Force fresh{};
  Force::fields(fresh, defaults);
  FieldLines lines(space, std::move(defaults.all));
  Force::fields(force, lines);
  return lines.take_text();
}

}  // namespace hamiltree
