#include "hamiltree/io/import/xml/xml_element.hpp"

#include <cmath>
#include <utility>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/suggestion.hpp"

namespace hamiltree {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  return "\"" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "") +
         "\"";
}

// As RFC 3629 has it: no surrogates, nothing longer than it must be.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
    };
    const unsigned first = byte(0);
    const std::size_t count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4) return false;
    for (std::size_t k = 1; k < count; ++k) {
      if (byte(k) < 0x80 || byte(k) > 0xBF) return false;
    }
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return false;
    if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return false;
    i += count;
  }
  return true;
}

}  // namespace

std::string XmlElement::title() const {
  const pugi::xml_attribute name = node_.attribute("name");
  return "<" + this->name() + (name ? " name=" + in_quotes(name.value()) : "") + ">";
}

std::optional<XmlElement> XmlElement::child(std::string_view name) const {
  for (const auto& node : node_.children()) {
    if (node.type() == pugi::node_element && node.name() == name)
      return XmlElement(*document_, node);
  }
  return std::nullopt;
}

XmlElement XmlElement::required_child(std::string_view name) const {
  if (const auto found = child(name)) return *found;
  fail("<" + std::string(name) + "> is missing");
}

std::vector<XmlElement> XmlElement::children(std::string_view name) const {
  std::vector<XmlElement> found;
  for (const auto& element : children()) {
    if (element.node_.name() == name) found.push_back(element);
  }
  return found;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> found;
  for (const auto& node : node_.children()) {
    if (node.type() == pugi::node_element) found.emplace_back(*document_, node);
  }
  return found;
}

bool XmlElement::has(std::string_view attribute) const {
  return static_cast<bool>(node_.attribute(std::string(attribute).c_str()));
}

pugi::xml_attribute XmlElement::require(std::string_view attribute) const {
  const auto found = node_.attribute(std::string(attribute).c_str());
  if (!found) fail("attribute " + std::string(attribute) + " is missing");
  return found;
}

std::string XmlElement::text(std::string_view attribute) const {
  return word(trimmed(require(attribute).value()), std::string(attribute));
}

std::string XmlElement::text_or(std::string_view attribute, const std::string& fallback) const {
  return has(attribute) ? text(attribute) : fallback;
}

double XmlElement::number(std::string_view attribute) const {
  return to_number(text(attribute), std::string(attribute));
}

double XmlElement::number_or(std::string_view attribute, double fallback) const {
  return has(attribute) ? number(attribute) : fallback;
}

bool XmlElement::boolean_or(std::string_view attribute, bool fallback) const {
  if (!has(attribute)) return fallback;
  const std::string value = text(attribute);
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  fail(std::string(attribute) + " must be true or false, not " + in_quotes(value));
}

Eigen::VectorXd XmlElement::numbers(std::string_view attribute) const {
  return to_numbers(require(attribute).value(), std::string(attribute));
}

Eigen::VectorXd XmlElement::numbers(std::string_view attribute, Eigen::Index length) const {
  return of_length(numbers(attribute), length, std::string(attribute));
}

Eigen::Vector3d XmlElement::vector_or(std::string_view attribute,
                                      const Eigen::Vector3d& fallback) const {
  if (!has(attribute)) return fallback;
  return numbers(attribute, 3);
}

std::string XmlElement::whole_content() const {
  std::string text;
  for (const auto& node : node_.children()) {
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) text += node.value();
  }
  return text;
}

std::string XmlElement::content() const { return word(trimmed(whole_content()), "its content"); }

double XmlElement::content_number() const { return to_number(content(), "its content"); }

Eigen::VectorXd XmlElement::content_numbers() const {
  return to_numbers(whole_content(), "its content");
}

Eigen::VectorXd XmlElement::content_numbers(Eigen::Index length) const {
  return of_length(content_numbers(), length, "its content");
}

void XmlElement::fail(const std::string& sentence) const {
  throw ModelError(where(), title(), title() + ": " + sentence);
}

void XmlElement::fail_unknown(const std::string& attribute, const std::string& word,
                              const std::vector<std::string>& known) const {
  fail("unknown " + attribute + " " + in_quotes(word) + suggestion(word, known, attribute + "s"));
}

std::string XmlElement::word(std::string_view text, const std::string& what) const {
  if (text.size() > kStringLength.value) {
    fail(what + " is longer than " + to_text(kStringLength) + ", in bytes");
  }
  if (!is_utf8(text)) fail(what + " is not UTF-8");
  return std::string(text);
}

double XmlElement::to_number(std::string_view text, const std::string& what) const {
  const auto value = parse_number(text);
  if (!value) {
    const bool in_template = text.find("${") != text.npos || text.find("$(") != text.npos;
    fail(what + " must be a number, not " + in_quotes(text) +
         (in_template ? ": xacro computes it, and makes the model of this file" : ""));
  }
  if (!std::isfinite(*value)) fail(what + " is not finite");
  return *value;
}

Eigen::VectorXd XmlElement::to_numbers(std::string_view text, const std::string& what) const {
  std::vector<double> values;
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const auto end = std::min(rest.find_first_of(kSpaces), rest.size());
    values.push_back(to_number(rest.substr(0, end), what));
    rest = trimmed(rest.substr(end));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd XmlElement::of_length(Eigen::VectorXd numbers, Eigen::Index length,
                                      const std::string& what) const {
  if (numbers.size() != length) {
    fail(what + " needs " + std::to_string(length) + (length == 1 ? " number" : " numbers") +
         ", has " + std::to_string(numbers.size()));
  }
  return numbers;
}

}  // namespace hamiltree
