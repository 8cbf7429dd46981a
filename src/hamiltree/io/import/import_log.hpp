// Notes of an importer: what it left out, with the place in the file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"

namespace hamiltree {

// How a file of another format is read. Native files know no such choices.
struct ImportOptions {
  bool strict = false;           // warnings are errors
  bool balance_inertia = false;  // inertias that no body has are made spheres of the same trace
  bool accept_inertia = false;   // inertias that no body has are taken as they are
  bool fixed_base = false;       // URDF, SDF: what would float is held where it is
  std::string keyframe = "";     // MJCF: the keyframe to start from; none by default
  bool no_actuators = false;     // MJCF: actuators are left out
  std::string control = "";      // MJCF, URDF: a file with controls of actuators; none by default
  bool files_elsewhere = false;  // files that a model names may lie outside of its folder
};

class ImportLog {
 public:
  explicit ImportLog(bool strict = false) : strict_(strict) {}

  // Something that is not understood, or that the motion may miss. Throws ModelError if strict.
  void warn(const SourceLocation& where, const std::string& sentence);

  // Something known that no motion depends on, such as a mesh; only counted.
  void ignore(const std::string& element) { ++ignored_[element]; }
  // One that was ignored is read after all.
  void use(const std::string& element) {
    const auto found = ignored_.find(element);
    if (found != ignored_.end() && --found->second == 0) ignored_.erase(found);
  }

  // Assumptions of the reader that the user may want otherwise.
  void note(const std::string& sentence) { notes_.push_back(sentence); }

  // One line each: warnings in their order, those that say the same once with their number, then
  // what was ignored, then notes.
  std::vector<std::string> lines() const;
  std::size_t warning_count() const { return warnings_.size(); }

 private:
  struct Warning {
    SourceLocation where;
    std::string sentence;
    int further = 0;  // that say the same
  };

  bool strict_;
  std::vector<Warning> warnings_;
  std::map<std::string, std::size_t> by_sentence_;
  std::map<std::string, int> ignored_;
  std::vector<std::string> notes_;
};

}  // namespace hamiltree
