// Results of the benchmarks: for people as a Document, for programs as JSON.
#pragma once

#include <string>

#include "benchmarks/bench.hpp"
#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree::benchmarks {

Document to_document(const BenchResult& result);

// docs/cli.md says what is in it.
std::string to_json(const BenchResult& result);

// The processor's name, as it gives it.
std::string processor_name();

}  // namespace hamiltree::benchmarks
