// The elements and attributes of SDF that are known.
#pragma once

#include <span>

#include "hamiltree/io/import/xml/vocabulary.hpp"

namespace hamiltree::sdf {

std::span<const Word> words();

}  // namespace hamiltree::sdf
