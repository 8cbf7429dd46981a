// Words of a format as its reference lists them, to be held against the vocabulary of its reader.
#pragma once

#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "hamiltree/io/import/xml/vocabulary.hpp"

namespace hamiltree::test {

struct Listed {
  const char* parents;  // from below the root down
  const char* element;
  const char* attributes;
};

inline std::vector<std::string> words_of(const std::string& list) {
  std::istringstream stream(list);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The answer of a vocabulary about one element with one attribute, or none; nothing if it knows
// both.
inline std::string complaint(const std::string& root, std::span<const Word> words,
                             const Listed& listed, const std::string& attribute = "") {
  std::string text = "<" + root + ">", end = "</" + root + ">";
  for (const auto& parent : words_of(listed.parents)) {
    text += "<" + parent + ">";
    end = "</" + parent + ">" + end;
  }
  const std::string given = attribute.empty() ? "" : " " + attribute + "='1'";
  text += "<" + std::string(listed.element) + given + "/>" + end;
  ImportLog log;
  const XmlDocument document(text, "m.xml", log);
  check_vocabulary(document.root(), words, log);
  return log.warning_count() == 0 ? "" : log.lines().front();
}

}  // namespace hamiltree::test
