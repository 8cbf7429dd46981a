// Where the elements of a mechanism stand in their lists.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace hamiltree {

// The number of each element by its name, of the first of several with the same.
template <class Description>
std::unordered_map<std::string, std::size_t> number_by_name(
    const std::vector<Description>& descriptions) {
  std::unordered_map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < descriptions.size(); ++i) numbers.emplace(descriptions[i].name, i);
  return numbers;
}

}  // namespace hamiltree
