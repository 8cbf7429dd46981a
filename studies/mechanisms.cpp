#include "studies/mechanisms.hpp"

#include <span>
#include <stdexcept>

#include "hamiltree/base/embedded.hpp"
#include "hamiltree/io/import/native.hpp"
#include "studies/shipped.hpp"

namespace hamiltree::studies {
namespace {

std::span<const std::string_view> pieces(std::string_view name) {
  if (name == "chadaj_case_1") return files::kChadajCase1Toml;
  if (name == "chadaj_case_2") return files::kChadajCase2Toml;
  if (name == "chadaj_case_3") return files::kChadajCase3Toml;
  if (name == "double_pendulum") return files::kDoublePendulumToml;
  if (name == "four_bar") return files::kFourBarToml;
  throw std::logic_error("no model file of this name is embedded: " + std::string(name));
}

}  // namespace

Mechanism shipped(std::string_view name, const std::vector<std::string>& overrides) {
  return parse_native(embedded_text(pieces(name)), std::string(name) + ".toml", overrides);
}

}  // namespace hamiltree::studies
