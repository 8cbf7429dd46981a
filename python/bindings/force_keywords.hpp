// Forces from the keywords of Python, by their fields (hamiltree/model/forces/fields.hpp).
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::bindings {

// The keywords of a call, each of which is taken once. Wrong ones are a TypeError.
class Keywords {
 public:
  Keywords(std::string callee, const pybind11::kwargs& given);

  std::optional<pybind11::object> take(const char* key);
  pybind11::object require(const char* key);
  // The value if it is there, and else x as it is.
  template <class T>
  void set(const char* key, T& x) {
    const auto value = take(key);
    if (value) x = as<T>(key, *value);
  }
  template <class T>
  T as(const char* key, const pybind11::object& value) const {
    try {
      return value.cast<T>();
    } catch (const pybind11::cast_error&) {
      fail_type(key, value);
    }
  }
  // Refuses what nobody took.
  void finish() const;

 private:
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_type(const char* key, const pybind11::object& value) const;

  std::string callee_;
  pybind11::dict left_;
};

// Sets the fields of a force.
class KeywordReader {
 public:
  explicit KeywordReader(Keywords& keywords) : keywords_(keywords) {}

  void number(const char* key, double& x, Range, Need need = Need::kOptional) {
    if (need == Need::kRequired) {
      x = keywords_.as<double>(key, keywords_.require(key));
    } else {
      keywords_.set(key, x);
    }
  }
  void number(const char* key, std::optional<double>& x, Range) { keywords_.set(key, x); }
  void numbers(const char* key, std::vector<double>& list);
  void body(const char* key, std::string& name) {
    name = keywords_.as<std::string>(key, keywords_.require(key));
  }
  void moved_body(const char* key, std::string& name) { body(key, name); }
  void joint(const char* key, std::string& name) { body(key, name); }
  void point(const char* key, Eigen::Vector3d& x, const std::string&);
  void frame(const char* key, Frame& X, const std::string&);
  // One number for all directions, or three.
  void along_axes(const char* key, Eigen::Vector3d& x, Range);
  void about_axes(const char* key, Eigen::Vector3d& x, Range range) { along_axes(key, x, range); }
  void function(const char* key, TimeFunction& f, Need need);
  void along_axes_in_time(const char* key, TimeVector& f);
  void about_axes_in_time(const char* key, TimeVector& f);
  template <class Choice>
  void word(const char* key, Choice& choice, const std::array<const char*, 2>& words) {
    std::string given = words[static_cast<std::size_t>(choice)];
    keywords_.set(key, given);
    if (given != words[0] && given != words[1]) {
      throw UsageError(std::string(key) + " are \"" + words[0] + "\" or \"" + words[1] +
                       "\", not \"" + given + "\"");
    }
    choice = static_cast<Choice>(given == words[1] ? 1 : 0);
  }
  void rope(std::vector<RopePoint>& points);
  void pulled(std::vector<std::string>& joints, std::vector<double>& ratios,
              std::vector<RopePoint>& points);

 private:
  Keywords& keywords_;
};

// Writes the keywords as signatures in docstrings have them.
class KeywordSignature {
 public:
  const std::string& text() const { return text_; }

  void number(const char* key, const double& x, Range, Need need = Need::kOptional) {
    add(key, "float", need == Need::kRequired ? "" : pybind11::repr(pybind11::float_(x)));
  }
  void number(const char* key, const std::optional<double>&, Range) {
    add(key, "Optional[float]", "None");
  }
  void numbers(const char* key, const std::vector<double>&) { add(key, "object"); }
  void body(const char* key, const std::string&) { add(key, "str"); }
  void moved_body(const char* key, const std::string&) { add(key, "str"); }
  void joint(const char* key, const std::string&) { add(key, "str"); }
  void point(const char* key, const Eigen::Vector3d&, const std::string&) { add_object(key); }
  void frame(const char* key, const Frame&, const std::string&) { add_object(key); }
  void along_axes(const char* key, const Eigen::Vector3d&, Range) { add(key, "object", "0.0"); }
  void about_axes(const char* key, const Eigen::Vector3d&, Range) { add(key, "object", "0.0"); }
  void function(const char* key, const TimeFunction&, Need need) {
    add(key, "object", need == Need::kRequired ? "" : "0.0");
  }
  void along_axes_in_time(const char* key, const TimeVector&) { add_object(key); }
  void about_axes_in_time(const char* key, const TimeVector&) { add_object(key); }
  template <class Choice>
  void word(const char* key, const Choice& choice, const std::array<const char*, 2>& words) {
    add(key, "str", "'" + std::string(words[static_cast<std::size_t>(choice)]) + "'");
  }
  void rope(const std::vector<RopePoint>&) {
    add("body_a", "Optional[str]", "None");
    add("body_b", "Optional[str]", "None");
    for (const char* key : {"point_a", "point_b", "points"}) add_object(key);
  }
  void pulled(const std::vector<std::string>&, const std::vector<double>&,
              const std::vector<RopePoint>&) {
    add("joints", "List[str]", "[]");
    add("ratios", "Optional[List[float]]", "None");
    add_object("points");
  }

 private:
  void add_object(const char* key) { add(key, "object", "None"); }
  void add(const char* key, const char* type, const std::string& fallback = "") {
    text_ += std::string(", ") + key + ": " + type;
    if (!fallback.empty()) text_ += " = " + fallback;
  }

  std::string text_;
};

}  // namespace hamiltree::bindings
