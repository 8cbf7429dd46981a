// Fields: what a description and its table say of themselves, once, to whoever asks.
//
// A description lists its fields in `fields(self, visit)`, one call of the visitor for each, by the
// word for it in files, in Python and in messages. Files, Python, validation and all who look for
// the bodies and joints of a force (io/import/native_force.cpp, io/export/model/native_writer.cpp,
// python/bindings/force_keywords.hpp, validate_force.cpp, force_ends.hpp) are such visitors. A
// field that is missing in a file or in Python keeps the value of a fresh description.
//
// A table lists in `parts(self, visit)` its joints and bodies, which who renumbers them changes,
// and the numbers that are parameters.
#pragma once

#include <optional>
#include <string>

namespace hamiltree {

enum class Range { kAny, kNotNegative, kPositive };
enum class Need { kOptional, kRequired };

// A visitor of fields that passes over all of them; visitors derive from it and take some.
struct IgnoreFields {
  // A finite number in a range; an optional one may be missing altogether.
  template <class Number>
  void number(const char*, Number&, Range, Need = Need::kOptional) {}
  // A list of numbers.
  template <class List>
  void numbers(const char*, List&) {}
  // A body by name. The ground counts, unless it is a body that the force moves.
  template <class Name>
  void body(const char*, Name&) {}
  template <class Name>
  void moved_body(const char*, Name&) {}
  // A joint with one degree of freedom by name, or several.
  template <class Name>
  void joint(const char*, Name&) {}
  template <class Names>
  void joints(const char*, Names&) {}
  // A point (m) or a frame of the body that `body` names.
  template <class Point, class Name>
  void point(const char*, Point&, Name&) {}
  template <class Frame, class Name>
  void frame(const char*, Frame&, Name&) {}
  // A number for each axis along which something may slide or about which it may turn; in the
  // plane x and y, and z.
  template <class Vector>
  void along_axes(const char*, Vector&, Range) {}
  template <class Vector>
  void about_axes(const char*, Vector&, Range) {}
  // A function of time or a constant; in a file a required one may be a sine whose keys stand in
  // the element itself.
  template <class Function>
  void function(const char*, Function&, Need) {}
  // The same for each axis.
  template <class Functions>
  void along_axes_in_time(const char*, Functions&) {}
  template <class Functions>
  void about_axes_in_time(const char*, Functions&) {}
  // One of the words, which stand in the order of the enumeration's values.
  template <class Choice, class Words>
  void word(const char*, Choice&, const Words&) {}
  // The points that a rope runs over: "points", or of two "body_a", "point_a", "body_b", "point_b".
  template <class Points>
  void rope(Points&) {}
  // A motor pulls joints by their ratios, or the points of a rope.
  template <class Names, class Ratios, class Points>
  void pulled(Names&, Ratios&, Points&) {}
  // The user's own function.
  template <class Function>
  void callback(const char*, Function&) {}
};

// Whether a force depends on the coordinate of a joint, or at most on its rate.
enum class Uses { kPosition, kRate };

// The same of the parts of tables.
struct IgnoreParts {
  void joint(const int&, Uses) {}
  void body(const int&) {}
  template <class Path>
  void path(Path&) {}
  template <class Number>
  void number(const char*, Number&) {}
  template <class Vector>
  void vector(const char*, Vector&) {}
};

template <class To, class Scalar>
std::optional<typename To::Scalar> cast_optional(const std::optional<Scalar>& x) {
  using Other = typename To::Scalar;
  return x ? std::optional<Other>(Other(*x)) : std::nullopt;
}

}  // namespace hamiltree
