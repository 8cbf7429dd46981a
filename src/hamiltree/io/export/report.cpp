#include "hamiltree/io/export/report.hpp"

#include <iterator>
#include <stdexcept>
#include <string_view>

#include "hamiltree/base/embedded.hpp"
#include "hamiltree/io/export/html.hpp"
#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/export/report_page.hpp"
#include "hamiltree/io/export/viewer_bundle.hpp"

namespace hamiltree {
namespace {

// The value of the page's {{name}}.
std::string fill(std::string_view name, const ReportPage& page) {
  if (name == "title") return escape_html(page.title);
  if (name == "data") return page.data;
  if (name == "served") return page.served;
  if (name == "connect") return page.served == "null" ? "'none'" : "'self'";
  if (name == "style.css") return embedded_text(page::kStyleCss);
  if (name == "viewer.js") return embedded_text(page::kViewerJs);
  if (name == "plots.js") return embedded_text(page::kPlotsJs);
  if (name == "motion.js") return embedded_text(page::kMotionJs);
  if (name == "camera.js") return embedded_text(page::kCameraJs);
  if (name == "replay.js") return embedded_text(page::kReplayJs);
  if (name == "clock.js") return embedded_text(page::kClockJs);
  if (name == "figures.js") return embedded_text(page::kFiguresJs);
  if (name == "modes.js") return embedded_text(page::kModesJs);
  if (name == "summary.js") return embedded_text(page::kSummaryJs);
  if (name == "page.js") return embedded_text(page::kPageJs);
  throw std::logic_error("the report's page asks for an unknown {{" + std::string(name) + "}}");
}

}  // namespace

// A bundle is long; what stands for it is one piece.
bool has_viewer() { return std::size(page::kViewerJs) > 1; }

std::string to_report(const Recording& recording, const Model* model, const ModelLooks& looks,
                      const LeftOut* left_out) {
  return to_html({recording.header.model, to_report_data(recording, model, looks, left_out)});
}

// One pass over the page: what fills a place is never searched for places again.
std::string to_html(const ReportPage& filling) {
  const std::string page = embedded_text(page::kPageHtml);
  std::string report;
  std::size_t done = 0;
  for (;;) {
    const std::size_t open = page.find("{{", done);
    const std::size_t close = page.find("}}", open);
    if (open == std::string::npos || close == std::string::npos) break;
    report.append(page, done, open - done);
    report += fill(std::string_view(page).substr(open + 2, close - open - 2), filling);
    done = close + 2;
  }
  return report.append(page, done);
}

}  // namespace hamiltree
