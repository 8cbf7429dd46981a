#include "hamiltree/io/model_variants.hpp"

#include <toml++/toml.h>

#include <utility>

#include "hamiltree/io/import/native_document.hpp"
#include "hamiltree/io/import/overrides.hpp"
#include "hamiltree/io/import/toml_reader.hpp"

namespace hamiltree {

struct ModelVariants::Document {
  Document(toml::table parsed, const std::vector<std::string>& paths) : table(std::move(parsed)) {
    for (const auto& path : paths) places.emplace_back(path);
  }

  void set(std::span<const double> values) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i].set(table, values[i]);
  }

  toml::table table;
  std::vector<NumberAt> places;
};

ModelVariants::ModelVariants(ModelSource source, std::vector<std::string> overrides,
                             std::vector<std::string> paths)
    : source_(std::move(source)),
      overrides_(std::move(overrides)),
      paths_(std::move(paths)),
      document_(make_document()) {}

ModelVariants::ModelVariants(const ModelVariants& other)
    : ModelVariants(other.source_, other.overrides_, other.paths_) {}

ModelVariants::~ModelVariants() = default;

// Parsed anew, for copies of its nodes would no longer know their lines.
std::unique_ptr<ModelVariants::Document> ModelVariants::make_document() const {
  auto table = parse_toml(source_.text, source_.file);
  apply_overrides(table, overrides_);
  return std::make_unique<Document>(std::move(table), paths_);
}

Mechanism ModelVariants::with(std::span<const double> values) {
  document_->set(values);
  auto mechanism = read_mechanism(document_->table, source_.file);
  source_.place(mechanism);
  return mechanism;
}

// Numbers that stand in the file are known to it; the others are put there and read.
void ModelVariants::check_paths(std::span<const double> values) const {
  const auto document = make_document();
  auto& [table, places] = *document;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].leads_to_a_number(table)) places[i].set(table, values[i]);
  }
  read_mechanism(table, source_.file);
}

}  // namespace hamiltree
