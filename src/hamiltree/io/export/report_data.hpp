// The data that the report's page draws, as compact JSON: the summary document, the mechanism's
// shape, and the samples by columns. Long recordings are thinned out for the page and say so;
// numbers carry nine significant digits.
#pragma once

#include <string>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

struct LeftOut;  // thin_recording.hpp

// docs/formats/recording.md. Safe between <script> tags: every "<" is escaped. Joints, reactions,
// open loops, the plan and looks take the model that was recorded, a recording that has been
// thinned what it lacks.
std::string to_report_data(const Recording& recording, const Model* model = nullptr,
                           const ModelLooks& looks = {}, const LeftOut* left_out = nullptr);

}  // namespace hamiltree
