// Free joints that MuJoCo puts into the inertial frame of their body (align, alignfree); here they
// stay in the body's frame.
#pragma once

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// The motion is the same in both frames; what is said in coordinates of such a joint, or in its
// body's frame, is not, and is warned of.
void warn_of_alignment(const XmlElement& root, const Tree& tree, const ImportOptions& options,
                       ImportLog& log);

}  // namespace hamiltree::mjcf
