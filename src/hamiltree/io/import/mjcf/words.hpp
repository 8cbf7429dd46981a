// The elements and attributes of MJCF that are known.
#pragma once

#include <span>

#include "hamiltree/io/import/xml/vocabulary.hpp"

namespace hamiltree::mjcf {

std::span<const Word> words();

}  // namespace hamiltree::mjcf
