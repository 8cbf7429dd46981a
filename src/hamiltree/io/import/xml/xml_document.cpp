#include "hamiltree/io/import/xml/xml_document.hpp"

#include <algorithm>
#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree {
namespace {

constexpr unsigned kParse =
    pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment | pugi::parse_ws_pcdata_single;

int line_at(std::string_view text, std::ptrdiff_t offset) {
  const auto end = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + end, '\n'));
}

// "Start-end tags mismatch" as the rest of a sentence.
std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] + 'a' - 'A');
  return text;
}

}  // namespace

bool is_utf16(std::string_view text) {
  using namespace std::string_view_literals;
  const auto start = text.substr(0, 2);
  return start == "\xFE\xFF"sv || start == "\xFF\xFE"sv || start == "\0<"sv || start == "<\0"sv;
}

XmlDocument::XmlDocument(std::string_view text, const std::string& file, ImportLog& log) {
  if (text.size() > kFileSize.value) {
    throw ModelError({file, 1}, "", "is larger than " + to_text(kFileSize) + ", in bytes");
  }
  if (is_utf16(text)) throw ModelError({file, 1}, "", "is UTF-16; only UTF-8 is read");
  const auto result = document_.load_buffer(text.data(), text.size(), kParse, pugi::encoding_utf8);
  if (!result) {
    throw ModelError({file, line_at(text, result.offset)}, "",
                     "XML syntax error: " + lower_first(result.description()));
  }
  for (const auto& node : document_.children()) {
    const std::string_view value = node.value();
    const auto blank = static_cast<std::ptrdiff_t>(value.find_first_not_of(" \t\r\n"));
    const bool is_text = node.type() == pugi::node_pcdata && blank >= 0;
    const SourceLocation place{file, line_at(text, node.offset_debug() + (is_text ? blank : 0))};
    if (node.type() == pugi::node_doctype) {
      throw ModelError(place, "", "a document type (DOCTYPE) is not read");
    }
    if (node.type() == pugi::node_element) {
      if (root_) {
        throw ModelError(place, "", "a second root element, <" + std::string(node.name()) + ">");
      }
      root_ = node;
    }
    if (is_text) log.warn(place, "text outside the root element is ignored");
  }
  if (!root_) throw ModelError({file, 1}, "", "has no root element");
  mark_lines(text, file);
}

// In document order, so that lines are counted once. Iterative: depth is not known to be small yet.
void XmlDocument::mark_lines(std::string_view text, const std::string& file) {
  std::ptrdiff_t counted = 0;
  int line = 1;
  std::size_t depth = 1, elements = 0;
  for (pugi::xml_node node = root_; node;) {
    if (node.type() == pugi::node_element) {
      const std::ptrdiff_t offset = node.offset_debug();
      line += static_cast<int>(
          std::count(text.begin() + counted, text.begin() + std::max(counted, offset), '\n'));
      counted = std::max(counted, offset);
      places_[node.internal_object()] = {file, line};
      if (depth > kDepth.value) {
        throw ModelError({file, line}, "", "elements nest deeper than " + to_text(kDepth));
      }
      if (++elements > kElements.value) {
        throw ModelError({file, line}, "", "has more elements than " + to_text(kElements));
      }
    }
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && node != root_ && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (!node || node == root_) break;
    node = node.next_sibling();
  }
}

XmlElement XmlDocument::root() const { return {*this, root_}; }

SourceLocation XmlDocument::where(const pugi::xml_node& node) const {
  const auto found = places_.find(node.internal_object());
  return found == places_.end() ? SourceLocation{} : found->second;
}

void XmlDocument::mark_copy(const pugi::xml_node& copy, const XmlElement& original,
                            std::size_t depth) {
  if (depth > kDepth.value) {
    original.fail("where it is included, elements nest deeper than " + to_text(kDepth));
  }
  if (places_.size() >= kElements.value) {
    original.fail("what is included makes more elements than " + to_text(kElements));
  }
  places_[copy.internal_object()] = original.where();
  auto child = copy.children().begin();
  for (const auto& of_original : original.node().children()) {
    if (of_original.type() == pugi::node_element) {
      mark_copy(*child, XmlElement(original.document(), of_original), depth + 1);
    }
    ++child;
  }
}

namespace {

// 1 of a root.
std::size_t depth_of(pugi::xml_node node) {
  std::size_t depth = 0;
  for (; node.type() == pugi::node_element; node = node.parent()) ++depth;
  return depth;
}

}  // namespace

void XmlDocument::replace(const XmlElement& placeholder, const XmlElement& from) {
  pugi::xml_node parent = placeholder.node().parent();
  for (const auto& element : from.children()) {
    const auto copy = parent.insert_copy_before(element.node(), placeholder.node());
    mark_copy(copy, element, depth_of(copy));
  }
  parent.remove_child(placeholder.node());
}

XmlElement XmlDocument::insert(const XmlElement& place, const char* name) {
  const auto node = place.node().parent().insert_child_before(name, place.node());
  places_[node.internal_object()] = place.where();
  return {*this, node};
}

XmlElement XmlDocument::append(const XmlElement& parent, const char* name, const char* content) {
  auto node = parent.node();
  node = node.append_child(name);
  node.text().set(content);
  places_[node.internal_object()] = parent.where();
  return {*this, node};
}

XmlElement XmlDocument::insert_copy(const XmlElement& place, const XmlElement& element) {
  const auto copy = place.node().parent().insert_copy_before(element.node(), place.node());
  mark_copy(copy, element, depth_of(copy));
  return {*this, copy};
}

XmlElement XmlDocument::append_copy(const XmlElement& parent, const XmlElement& element) {
  auto node = parent.node();
  const auto copy = node.append_copy(element.node());
  mark_copy(copy, element, depth_of(copy));
  return {*this, copy};
}

void XmlDocument::remove(const XmlElement& element) {
  element.node().parent().remove_child(element.node());
}

std::string xml_root_name(std::string_view text) {
  pugi::xml_document document;
  // A broken file has a root to be recognised by all the same.
  document.load_buffer(text.data(), std::min(text.size(), kFileSize.value), pugi::parse_default,
                       pugi::encoding_utf8);
  const std::string name = document.document_element().name();
  const auto colon = name.find(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

}  // namespace hamiltree
