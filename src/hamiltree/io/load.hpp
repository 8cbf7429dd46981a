// Loading a mechanism from a file of any format that is known. The format is recognised by the
// file's content: an XML root element <robot> (URDF), <sdf> (SDF) or <mujoco> (MJCF), else a native
// model file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

enum class ModelFormat { kNative, kUrdf, kSdf, kMjcf };

// "native", "urdf", "sdf", "mjcf"
const char* to_name(ModelFormat format);
ModelFormat format_of(std::string_view text);

// The mechanism of a file in another format, normalised (import/normalise/normalise.hpp): rigidly
// held links merged, inertias judged; its looks where they are asked for. Throws ModelError naming
// file, line and element.
Mechanism import_mechanism(std::string_view text, const std::filesystem::path& file,
                           const ImportOptions& options, ImportLog& log, Looks* looks = nullptr);

// A model file in hand: the text is native, whatever the format of the file was, so that overrides
// work on all of them and a run can be resumed when the file has changed.
struct ModelSource {
  std::string file, text;
  // Where the elements of an imported file stood, for messages; empty for native files.
  std::vector<SourceLocation> bodies, joints, couplings;
  std::map<std::string, SourceLocation> forces;  // as messages call them

  bool is_imported() const { return !bodies.empty() || !joints.empty(); }

  // Overrides are "path=value", for example "body.crank.mass=2". Throws ModelError, and UsageError
  // for an override that leads nowhere.
  Mechanism mechanism(const std::vector<std::string>& overrides = {}) const;
  Looks looks(const std::vector<std::string>& overrides = {}) const;
  // Where the elements of a mechanism read from the text stood in an imported file.
  void place(Mechanism& mechanism) const;
};
// Throws ModelError, and UsageError for options that the file's format does not know.
ModelSource read_model(const std::filesystem::path& file, const ImportOptions& options,
                       ImportLog& log);

// Reads and compiles a model file; what an import has to tell goes nowhere. Throws as above.
Model load(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
           const ImportOptions& options = {});

}  // namespace hamiltree
