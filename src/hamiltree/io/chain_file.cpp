#include "hamiltree/io/chain_file.hpp"

#include <toml++/toml.h>

#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/native_document.hpp"
#include "hamiltree/io/import/overrides.hpp"
#include "hamiltree/io/import/toml_reader.hpp"

namespace hamiltree {

struct ChainFile::Document {
  toml::table table;
};

ChainFile::ChainFile(const ModelSource& source, const std::vector<std::string>& overrides)
    : document_(std::make_unique<Document>(Document{parse_toml(source.text, source.file)})),
      file_(source.file) {
  apply_overrides(document_->table, overrides);
  const auto counts = count_elements(document_->table, file_);
  links_ = counts.bodies;
  sensors_ = counts.sensors;
  if (links_ == 0 || counts.joints != counts.bodies || counts.couplings + counts.forces > 0 ||
      counts.events > 0) {
    throw ModelError({}, file_,
                     file_ +
                         " is not a chain: it needs bodies, a joint for each, and neither "
                         "couplings nor forces nor events");
  }
}

ChainFile::~ChainFile() = default;

Mechanism ChainFile::links(std::size_t first, std::size_t last) const {
  auto mechanism = read_links(document_->table, file_, {first, last});
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    auto& joint = mechanism.joints[k];
    const bool is_first = first + k == 0;
    const std::string before = is_first ? kGround
                               : k == 0 ? joint.parent
                                        : mechanism.bodies[k - 1].name;
    if (joint.child != mechanism.bodies[k].name || joint.parent != before) {
      throw ModelError(joint.where, "joint \"" + joint.name + "\"",
                       "a chain that is read link by link needs its joints in the order of its "
                       "bodies, each one's on the one before");
    }
    if (k == 0) joint.parent = kGround;
  }
  if (!mechanism.forces.empty()) {
    throw ModelError(mechanism.where, "",
                     "joints of a chain that is read link by link have neither springs nor limits "
                     "nor friction");
  }
  return mechanism;
}

}  // namespace hamiltree
