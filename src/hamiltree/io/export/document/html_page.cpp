#include <string_view>

#include "hamiltree/base/embedded.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/io/export/document/page.hpp"
#include "hamiltree/io/export/document_style.hpp"
#include "hamiltree/io/export/html.hpp"
#include "hamiltree/io/export/report_page.hpp"

namespace hamiltree {
namespace {

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned triple = 0;
    for (std::size_t k = 0; k < 3; ++k)
      triple = triple << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[triple >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

// Safe text, with what stands between backquotes as code.
std::string prose(std::string_view text) {
  std::string html;
  bool code = false;
  for (;;) {
    const auto tick = text.find('`');
    html += escape_html(text.substr(0, tick));
    if (tick == std::string_view::npos) break;
    html += code ? "</code>" : "<code>";
    code = !code;
    text.remove_prefix(tick + 1);
  }
  return code ? html + "</code>" : html;
}

std::string element(std::string_view tag, std::string_view content) {
  return "<" + std::string(tag) + ">" + std::string(content) + "</" + std::string(tag) + ">\n";
}

std::string with_title(const Channel& column) {
  std::string title = prose(column.name);
  if (!column.unit.empty()) title += "<br><small>" + escape_html(column.unit) + "</small>";
  return title;
}

class HtmlPage {
 public:
  explicit HtmlPage(const Drawings& drawings) : drawings_(drawings) {}

  // Figures in a row share a grid.
  std::string body(const Document& document) {
    bool in_figures = false;
    for (const auto& block : document.blocks) {
      const bool figure = std::holds_alternative<Figure>(block);
      if (figure != in_figures) html_ += figure ? "<div class=\"figures\">\n" : "</div>\n";
      in_figures = figure;
      std::visit([&](const auto& content) { add(content); }, block);
    }
    if (in_figures) html_ += "</div>\n";
    return html_;
  }

 private:
  void add(const Heading& heading) { html_ += element("h2", prose(heading.text)); }
  void add(const Paragraph& paragraph) { html_ += element("p", prose(paragraph.text)); }

  void add(const DataTable& table) {
    html_ += "<div class=\"card table\"><p class=\"caption\">" + prose(table.caption) +
             "</p><div class=\"scroll\"><table>\n<thead><tr>";
    for (const auto& column : table.columns) html_ += element("th", with_title(column));
    html_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      html_ += "<tr>";
      for (const auto& cell : row) {
        if (const auto* number = std::get_if<double>(&cell)) {
          html_ += "<td class=\"number\">" + to_short(*number) + "</td>";
        } else {
          html_ += element("td", prose(std::get<std::string>(cell)));
        }
      }
      html_ += "</tr>\n";
    }
    html_ += "</tbody></table></div></div>\n";
  }

  void add(const Figure& figure) {
    const auto drawing = drawings_.find(figure.name);
    html_ += "<figure class=\"card\">";
    if (drawing == drawings_.end()) {
      html_ += "<p class=\"banner\">Not drawn: gnuplot was not found. The numbers are in figures/" +
               figure.name + ".csv.</p>";
    } else {
      html_ += "<img alt=\"" + escape_html(figure.caption) + "\" src=\"data:image/svg+xml;base64," +
               base64(drawing->second) + "\">";
    }
    html_ += element("figcaption", prose(figure.caption)) + "</figure>\n";
  }

  void add(const std::vector<Statement>& statements) {
    html_ += "<ul class=\"statements\">\n";
    for (const auto& statement : statements) {
      const char* kind = statement.judgement == Judgement::kHolds   ? "holds"
                         : statement.judgement == Judgement::kFails ? "fails"
                                                                    : "undecided";
      html_ += "<li class=\"card " + std::string(kind) + "\"><b>" + to_text(statement.judgement) +
               "</b> <cite>" + escape_html(statement.source) + "</cite><p>" +
               prose(statement.text) + "</p><p class=\"evidence\">" + prose(statement.evidence) +
               "</p></li>\n";
    }
    html_ += "</ul>\n";
  }

  void add(const std::vector<Regenerated>& items) { add(to_table(items)); }

  const Drawings& drawings_;
  std::string html_;
};

}  // namespace

std::string to_html(const Document& document, const Drawings& drawings) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n" +
         element("title", escape_html(document.title) + " - hamiltree") + "<style>\n" +
         embedded_text(page::kStyleCss) + embedded_text(page::kDocumentCss) +
         "</style>\n</head>\n<body>\n<header>" + element("h1", escape_html(document.title)) +
         element("p", prose(document.subtitle)) + "</header>\n<article>\n" +
         HtmlPage(drawings).body(document) + "</article>\n" +
         element("footer", std::string("hamiltree ") + kVersion) + "</body>\n</html>\n";
}

}  // namespace hamiltree
