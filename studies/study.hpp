// Studies: each regenerates a paper, or answers a question about the engine, by computing
// everything anew.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree::studies {

struct StudyOptions {
  // A small sample of everything in a few seconds: shorter runs, fewer points.
  bool quick = false;
  // Told what is being done now.
  std::function<void(std::string_view)> progress = [](std::string_view) {};
};

struct Study {
  std::string_view name;   // on the command line
  std::string_view about;  // one line
  Document (*run)(const StudyOptions&);
};

// In the order of the papers.
std::span<const Study> all_studies();

Document chadaj2017(const StudyOptions& options);
Document naudet2003(const StudyOptions& options);
Document turno2023(const StudyOptions& options);
Document precision(const StudyOptions& options);
Document gradients(const StudyOptions& options);

}  // namespace hamiltree::studies
