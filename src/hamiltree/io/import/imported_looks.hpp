// How the bodies of an imported model look: visuals are gathered, their meshes found in the ways in
// which formats name files, and what cannot be drawn is told of. Nothing here refuses a model.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/looks.hpp"

namespace hamiltree {

class ImportedLooks {
 public:
  ImportedLooks(std::filesystem::path model, const ImportOptions& options);

  // The path, from the model's folder, of the mesh that the model calls `uri`: a path, file://PATH,
  // package://NAME/PATH or model://NAME/PATH, where NAME is one of the folders around the model or
  // lies in one of them. Nothing, and a note later, where it may not be read (named_file.hpp) or is
  // of no format that is drawn.
  std::optional<std::string> find(const std::string& uri);

  // Calls add(), which adds one visual; what it finds wrong in the file only leaves it out.
  template <class Add>
  void attempt(const std::string& name, const Add& add) {
    try {
      add();
    } catch (const ModelError& error) {
      leave_out(name, std::string("is not as it must be (") + error.what() + ")");
    }
  }

  // A shape without a size is left out; colours are brought between 0 and 1.
  void add(Visual visual);

  // Something that is not drawn, and why, as a sentence goes on after its name.
  void leave_out(const std::string& name, const std::string& why);

  // One note for each reason why something is not drawn.
  void tell(ImportLog& log) const;

  Looks visuals;

 private:
  std::string locate(const std::string& uri) const;

  struct LeftOut {
    std::string first;
    int count = 0;
  };

  std::filesystem::path model_;
  const ImportOptions& options_;
  std::map<std::string, std::optional<std::string>> found_;
  std::map<std::string, LeftOut> left_out_;  // by why
};

}  // namespace hamiltree
