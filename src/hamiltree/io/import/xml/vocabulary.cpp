#include "hamiltree/io/import/xml/vocabulary.hpp"

#include <string>

namespace hamiltree {
namespace {

bool contains(std::string_view words, std::string_view word) {
  for (std::size_t from = 0; from < words.size();) {
    const auto end = std::min(words.find(' ', from), words.size());
    const auto known = words.substr(from, end - from);
    if (known == word || known == "*") return true;
    from = end + 1;
  }
  return false;
}

const Word* find_word(std::span<const Word> words, const std::string& parent,
                      const std::string& name) {
  const Word* general = nullptr;
  for (const auto& word : words) {
    if (word.element == parent + "/" + name) return &word;
    if (word.element == name) general = &word;
  }
  return general;
}

// Namespaces say nothing about the mechanism.
bool is_namespace(std::string_view attribute) {
  return attribute.starts_with("xmlns") || attribute.starts_with("xsi:");
}

void check(const XmlElement& element, const std::string& parent, std::span<const Word> words,
           ImportLog& log) {
  static constexpr Word kNothing{};
  const Word* found = find_word(words, parent, element.name());
  const Word& word = found != nullptr ? *found : kNothing;
  for (const auto& attribute : element.node().attributes()) {
    if (is_namespace(attribute.name()) || contains(word.attributes, attribute.name())) continue;
    log.warn(element.where(), "attribute " + std::string(attribute.name()) + " of <" +
                                  element.name() + "> is unknown and ignored");
  }
  for (const auto& child : element.children()) {
    if (contains(word.children, child.name())) {
      check(child, element.name(), words, log);
    } else if (contains(word.ignored, child.name())) {
      log.ignore(child.name());
    } else {
      const bool in_template = child.name().starts_with("xacro:");
      log.warn(child.where(), "element <" + child.name() + "> in <" + element.name() + "> is " +
                                  (in_template ? "ignored: xacro makes the model of this file"
                                               : "unknown and ignored"));
    }
  }
}

}  // namespace

void check_vocabulary(const XmlElement& root, std::span<const Word> words, ImportLog& log) {
  check(root, "", words, log);
}

}  // namespace hamiltree
