// Sections of the study `gradients`: each writes its part of the document and returns what it
// found.
#pragma once

#include <vector>

#include "studies/study.hpp"

namespace hamiltree::studies::run_gradients {

std::vector<Statement> report_controls(const StudyOptions& options, Document& document);
std::vector<Statement> report_directions(const StudyOptions& options, Document& document);
std::vector<Statement> report_identification(const StudyOptions& options, Document& document);

}  // namespace hamiltree::studies::run_gradients
