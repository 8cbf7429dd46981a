// XML files as model formats use them: parsed as a whole, with the file and line of each element.
#pragma once

#include <filesystem>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/import_log.hpp"

namespace hamiltree {

class XmlElement;

// Whether a text, XML or not, is UTF-16, by its mark or its first bracket.
bool is_utf16(std::string_view text);

class XmlDocument {
 public:
  // Throws ModelError with file and line: a syntax error, a document type (DOCTYPE), more than one
  // root or none, too large or too deep (base/limits.hpp). Text beside the root is a warning.
  XmlDocument(std::string_view text, const std::string& file, ImportLog& log);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  XmlElement root() const;
  SourceLocation where(const pugi::xml_node& node) const;

  // Puts copies of the children of `from` in the place of `placeholder`, each with its own file and
  // line. Elements in hand stay good, but for the placeholder.
  void replace(const XmlElement& placeholder, const XmlElement& from);

  // A new element before `place`, at its line; one with a content at the end of `parent`.
  XmlElement insert(const XmlElement& place, const char* name);
  XmlElement append(const XmlElement& parent, const char* name, const char* content);
  // Copies with the file and line of the element, before `place` or at the end of `parent`.
  XmlElement insert_copy(const XmlElement& place, const XmlElement& element);
  XmlElement append_copy(const XmlElement& parent, const XmlElement& element);
  void remove(const XmlElement& element);

 private:
  void mark_lines(std::string_view text, const std::string& file);
  void mark_copy(const pugi::xml_node& copy, const XmlElement& original, std::size_t depth);

  pugi::xml_document document_;
  pugi::xml_node root_;
  std::unordered_map<const void*, SourceLocation> places_;
};

// The name of the root element of a text, without its prefix; empty where the text is no XML.
std::string xml_root_name(std::string_view text);

}  // namespace hamiltree
