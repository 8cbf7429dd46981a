#include "hamiltree/io/export/report.hpp"

#include <stdexcept>
#include <string_view>

#include "hamiltree/io/export/html.hpp"
#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/export/report_page.hpp"

namespace hamiltree {
namespace {

// What the page's {{name}} stands for.
std::string fill(std::string_view name, const Recording& recording) {
  if (name == "title") return escape_html(recording.header.model);
  if (name == "data") return to_report_data(recording);
  if (name == "style.css") return join(page::kStyleCss);
  if (name == "plots.js") return join(page::kPlotsJs);
  if (name == "motion.js") return join(page::kMotionJs);
  if (name == "camera.js") return join(page::kCameraJs);
  if (name == "replay.js") return join(page::kReplayJs);
  if (name == "page.js") return join(page::kPageJs);
  throw std::logic_error("the report's page asks for an unknown {{" + std::string(name) + "}}");
}

}  // namespace

// One pass over the page: what fills a place is never searched for places again.
std::string to_report(const Recording& recording) {
  const std::string page = join(page::kPageHtml);
  std::string report;
  std::size_t done = 0;
  for (;;) {
    const std::size_t open = page.find("{{", done);
    const std::size_t close = page.find("}}", open);
    if (open == std::string::npos || close == std::string::npos) break;
    report.append(page, done, open - done);
    report += fill(std::string_view(page).substr(open + 2, close - open - 2), recording);
    done = close + 2;
  }
  return report.append(page, done);
}

}  // namespace hamiltree
