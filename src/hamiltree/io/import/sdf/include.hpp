// <include> of SDF: models of other files become part of the one that includes them.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::sdf {

// On an <include> that stays: why its model was left out.
inline constexpr const char* kWhyLeftOut = "why_left_out";

// Replaces every <include> whose model is found by that model, also within included files, with the
// name, pose, placement frame and rest of the <include>. A path is one beside the file,
// `model://name` a folder beside the file or beside one of the folders around it. A model that is
// not there, or may not be read (named_file.hpp), is left out with a warning.
void include_models(XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree::sdf
