// Forces of the native format, by their fields (model/forces/fields.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/native_time_function.hpp"
#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Reads the fields of a force from a table. The joint of a force that stands in the joint's own
// table is known.
class FieldReader {
 public:
  FieldReader(TomlReader& reader, SpaceKind space, bool in_joint = false)
      : reader_(reader), space_(space), in_joint_(in_joint) {}

  void number(const char* key, double& x, Range, Need need = Need::kOptional) {
    x = need == Need::kRequired ? reader_.number(key) : reader_.number_or(key, x);
  }
  void number(const char* key, std::optional<double>& x, Range) {
    if (reader_.has(key)) x = reader_.number(key);
  }
  void numbers(const char* key, std::vector<double>& list) {
    const Eigen::VectorXd given = reader_.numbers(key);
    list.assign(given.begin(), given.end());
  }

  void body(const char* key, std::string& name) { name = reader_.text(key); }
  void moved_body(const char* key, std::string& name) { body(key, name); }
  void joint(const char* key, std::string& name) {
    if (!in_joint_) name = reader_.text(key);
  }

  void point(const char* key, Eigen::Vector3d& x, const std::string&) {
    x = read_vector_or_zero(reader_, key, space_);
  }
  void frame(const char* key, Frame& X, const std::string&) {
    X = read_frame(reader_, key, space_);
  }
  // A value for every axis, or one for all.
  void along_axes(const char* key, Eigen::Vector3d& x, Range) {
    per_axis(key, x, planar() ? 2 : 3);
  }
  void about_axes(const char* key, Eigen::Vector3d& x, Range range) {
    planar() ? number(key, x.z(), range) : per_axis(key, x, 3);
  }

  void function(const char* key, TimeFunction& f, Need need);
  void along_axes_in_time(const char* key, TimeVector& f) { f = read_time_vector(reader_, key); }
  void about_axes_in_time(const char* key, TimeVector& f) { f = read_time_vector(reader_, key); }
  template <class Choice, std::size_t kCount>
  void word(const char* key, Choice& choice, const std::array<const char*, kCount>& words) {
    if (!reader_.has(key)) return;
    const std::string given = reader_.text(key);
    for (std::size_t i = 0; i < kCount; ++i) {
      if (given != words[i]) continue;
      choice = static_cast<Choice>(i);
      return;
    }
    reader_.fail_unknown(key, given, {words.begin(), words.end()});
  }

  void rope(std::vector<RopePoint>& points);
  void pulled(std::vector<std::string>& joints, std::vector<double>& ratios,
              std::vector<RopePoint>& points);

 private:
  bool planar() const { return space_ == SpaceKind::kPlanar; }
  void per_axis(const char* key, Eigen::Vector3d& x, Eigen::Index axes);
  std::vector<RopePoint> read_points();

  TomlReader& reader_;
  SpaceKind space_;
  bool in_joint_;
};

// The force of an element [[force]] whose name has been read.
ForceDescription read_force_of_type(const std::string& type, TomlReader& reader, SpaceKind space);

}  // namespace hamiltree
