// One self-contained HTML page of a run: summary, replay, plots. The page's own sources lie in
// report/ and are embedded at build time, and so is the viewer, if it was built; nothing is fetched
// when the page is opened. docs/viewer.md.
#pragma once

#include <string>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

struct LeftOut;  // thin_recording.hpp

// Joints, reactions, open loops, the plan and looks take the model that was recorded, a recording
// that has been thinned what it lacks.
std::string to_report(const Recording& recording, const Model* model = nullptr,
                      const ModelLooks& looks = {}, const LeftOut* left_out = nullptr);

// A page around data that is there already.
struct ReportPage {
  std::string title;
  std::string data;             // docs/formats/recording.md, safe between <script> tags
  std::string served = "null";  // what the page may ask the server for: JSON, see `hamiltree view`
};
std::string to_html(const ReportPage& page);

// Whether this program was built with the viewer; without it pages have the simple replay.
bool has_viewer();

}  // namespace hamiltree
