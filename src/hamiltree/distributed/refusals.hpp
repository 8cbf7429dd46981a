// Messages about links that distributed chains do not take.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::distributed {

[[noreturn]] inline void refuse_links(const Mechanism& links) {
  const auto& first = links.joints.front();
  const std::string element = "joint \"" + first.name + "\"";
  throw ModelError(first.where, element,
                   element +
                       " or one of those behind it is not of a distributed chain: these are pins "
                       "in the plane, without drives and armature");
}

}  // namespace hamiltree::distributed
