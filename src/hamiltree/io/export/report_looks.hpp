// How bodies look, in the data of a report: docs/formats/recording.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

// Triangles of STL and OBJ in one picture, all copies counted: what is more is thinned.
inline constexpr std::size_t kMostTriangles = 60'000;
// Bytes of glTF and Collada in one page: what is more is served by `hamiltree view` alone.
inline constexpr std::size_t kMostEmbedded = std::size_t{12} << 20;

// Appends the keys "visuals" and "meshes"; nothing for a model without looks.
void append_looks(const Model& model, const ModelLooks& looks, std::string& out);

// The bytes of the mesh number `i` of the data of a report, which it leaves to be served; nothing
// where there is none, or it may not be read (named_file.hpp).
std::optional<std::string> served_mesh(const std::string& data, std::size_t i,
                                       bool files_elsewhere);

}  // namespace hamiltree
