// XmlElement: one element of an XmlDocument, read attribute by attribute, so that every mistake is
// reported with file, line and element. Numbers are read independently of the locale.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/io/import/xml/xml_document.hpp"

namespace hamiltree {

class XmlElement {
 public:
  XmlElement(const XmlDocument& document, pugi::xml_node node)
      : document_(&document), node_(node) {}

  std::string name() const { return node_.name(); }
  // `<joint name="A">`, or `<origin>` without a name.
  std::string title() const;
  SourceLocation where() const { return document_->where(node_); }
  const pugi::xml_node& node() const { return node_; }
  const XmlDocument& document() const { return *document_; }
  bool operator==(const XmlElement& other) const { return node_ == other.node_; }

  // The first child of this name, if there, and all of them.
  std::optional<XmlElement> child(std::string_view name) const;
  XmlElement required_child(std::string_view name) const;
  std::vector<XmlElement> children(std::string_view name) const;
  std::vector<XmlElement> children() const;

  bool has(std::string_view attribute) const;
  // The attribute without spaces around it; a fallback where it is missing.
  std::string text(std::string_view attribute) const;
  std::string text_or(std::string_view attribute, const std::string& fallback) const;
  double number(std::string_view attribute) const;
  double number_or(std::string_view attribute, double fallback) const;
  bool boolean_or(std::string_view attribute, bool fallback) const;
  Eigen::VectorXd numbers(std::string_view attribute) const;
  Eigen::VectorXd numbers(std::string_view attribute, Eigen::Index length) const;
  Eigen::Vector3d vector_or(std::string_view attribute, const Eigen::Vector3d& fallback) const;

  // The text between the tags, without spaces around it, and as numbers.
  std::string content() const;
  double content_number() const;
  Eigen::VectorXd content_numbers() const;
  Eigen::VectorXd content_numbers(Eigen::Index length) const;

  // Refuses the element with one sentence.
  [[noreturn]] void fail(const std::string& sentence) const;
  // Refuses the word that an attribute has, which is none of those that are known.
  [[noreturn]] void fail_unknown(const std::string& attribute, const std::string& word,
                                 const std::vector<std::string>& known) const;

 private:
  pugi::xml_attribute require(std::string_view attribute) const;
  std::string whole_content() const;
  // A text that is no list of numbers: not longer than the limit string_length.
  std::string word(std::string_view text, const std::string& what) const;
  double to_number(std::string_view text, const std::string& what) const;
  Eigen::VectorXd to_numbers(std::string_view text, const std::string& what) const;
  Eigen::VectorXd of_length(Eigen::VectorXd numbers, Eigen::Index length,
                            const std::string& what) const;

  const XmlDocument* document_;
  pugi::xml_node node_;
};

}  // namespace hamiltree
