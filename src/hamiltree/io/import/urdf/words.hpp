// The elements and attributes of URDF and its dialects that are known.
#pragma once

#include <span>

#include "hamiltree/io/import/xml/vocabulary.hpp"

namespace hamiltree::urdf {

std::span<const Word> words();

}  // namespace hamiltree::urdf
