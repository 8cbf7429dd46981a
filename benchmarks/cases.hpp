// The cases that are timed: which mechanism, in how many states, by which of our formulations.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::benchmarks {

struct Case {
  int size = 0;  // as the family counts: bodies, loops, states
  std::function<Mechanism()> make;
  std::size_t states = 16;       // evaluated in turn, so that none is learnt by heart
  std::vector<std::string> own;  // formulations, the first is the one that all are held to
  bool in_quick = false;         // also in a quick run
  std::string name = {};         // of a shipped machine
};

struct Family {
  std::string name;   // of files and in JSON
  std::string title;  // a heading
  std::string about;
  std::string counted;  // what a size is
  std::vector<Case> cases;
  bool derivatives = false;  // other engines' too
};

const std::vector<Family>& families();

// Models of the user's own, each in eight states of a motion.
Family family_of(const std::vector<Mechanism>& models);

}  // namespace hamiltree::benchmarks
