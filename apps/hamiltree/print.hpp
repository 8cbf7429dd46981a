// Text for people: times, counts, aligned columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::app {

// "0.0312 s", "12.3 s", "3 min 20 s", "2 h 5 min".
std::string to_duration(double seconds);

// Rows of cells, printed left-aligned with two spaces between columns.
class Table {
 public:
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hamiltree::app
