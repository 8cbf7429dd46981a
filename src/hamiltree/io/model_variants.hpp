// Variants of a model: its file parsed once, then read again and again with other values in it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"

namespace hamiltree {

// Not for two threads at a time; a copy for each.
class ModelVariants {
 public:
  // `overrides` hold in all variants; `paths` are those of the numbers that differ, both as of
  // import/overrides.hpp. Throws as ModelSource::mechanism.
  ModelVariants(ModelSource source, std::vector<std::string> overrides,
                std::vector<std::string> paths);
  ModelVariants(const ModelVariants& other);
  ModelVariants& operator=(const ModelVariants&) = delete;
  ~ModelVariants();

  // The mechanism with a number for each path. Throws OptionError of the path, and ModelError.
  Mechanism with(std::span<const double> values);
  // Throws OptionError of the first path of which the model file knows nothing, or that leads to
  // what is no number.
  void check_paths(std::span<const double> values) const;

 private:
  struct Document;

  std::unique_ptr<Document> make_document() const;

  ModelSource source_;
  std::vector<std::string> overrides_, paths_;
  std::unique_ptr<Document> document_;
};

}  // namespace hamiltree
