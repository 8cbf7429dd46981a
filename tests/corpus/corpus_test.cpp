// The verdicts of docs/formats/corpus.md, held against the files: each is simulated, only imported,
// or refused as the page says. The page is the list of tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "hamiltree/base/text.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

constexpr const char* kFolder = HAMILTREE_MODEL_CORPUS;

// A row of a table of the page.
struct Verdict {
  std::string file, verdict, options, reason;
};

std::string trimmed(const std::string& cell) {
  const auto first = cell.find_first_not_of(" `");
  if (first == std::string::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" `") - first + 1);
}

std::vector<Verdict> verdicts() {
  std::vector<Verdict> rows;
  std::ifstream page(HAMILTREE_DOCS "/formats/corpus.md");
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) cells.push_back(trimmed(cell));
    if (cells.size() >= 4) rows.push_back({cells[0], cells[1], cells[2], cells[3]});
  }
  return rows;
}

TEST(Corpus, EveryFileHasAVerdict) {
  if (std::string(kFolder).empty()) GTEST_SKIP() << "HAMILTREE_MODEL_CORPUS is not set";
  std::set<std::string> known;
  for (const auto& row : verdicts()) known.insert(row.file);
  EXPECT_GT(known.size(), 0U);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    const auto extension = entry.path().extension();
    if (extension != ".urdf" && extension != ".sdf" && extension != ".xml") continue;
    const auto name = std::filesystem::relative(entry.path(), kFolder).string();
    EXPECT_TRUE(known.contains(name)) << name << " is not in docs/formats/corpus.md";
  }
}

struct Options {
  ImportOptions import;
  SimulationOptions simulation;
  double until = 10.0;
};

Options options_of(const std::string& text) {
  Options options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "--balance-inertia") {
      options.import.balance_inertia = true;
    } else if (word == "--fixed-base") {
      options.import.fixed_base = true;
    } else if (word == "--integrator") {
      words >> word;
      options.simulation.integrator = *method_from_name(word);
    } else if (word == "--until") {
      words >> word;
      options.until = *parse_number(word);
    } else {
      throw std::invalid_argument("corpus.md: option " + word);
    }
  }
  return options;
}

// "line 8: ..." of a message.
std::string in_line(const ModelError& error) {
  std::string message = error.what();
  const auto prefix = to_prefix(error.where());
  if (message.starts_with(prefix)) message.erase(0, prefix.size());
  std::ranges::replace(message, '|', '/');
  return "line " + std::to_string(error.where().line) + ": " + message;
}

std::string counts_of(const Model& model) {
  const int bodies = model.body_count(), loops = model.loop_count();
  return std::to_string(bodies) + (bodies == 1 ? " body, " : " bodies, ") + std::to_string(loops) +
         (loops == 1 ? " loop" : " loops");
}

// The name of a test that fails.
std::ostream& operator<<(std::ostream& out, const Verdict& row) {
  return out << row.file << ' ' << row.options;
}

class CorpusFile : public testing::TestWithParam<Verdict> {
 protected:
  ModelSource read() {
    ImportLog log;
    return read_model(std::filesystem::path(kFolder) / GetParam().file,
                      options_of(GetParam().options).import, log);
  }
};

// Measured: loops open by at most 1.1e-11 m (Strandbeest, 60 s of free fall, 17 km).
void expect_simulated(const Mechanism& mechanism, const Verdict& row) {
  const auto options = options_of(row.options);
  const Model model(mechanism);
  EXPECT_EQ(counts_of(model), row.reason);
  Recording recording;
  Simulation(model, options.simulation).run_until(options.until, 0.0, recording);
  EXPECT_EQ(recording.summary.status, "completed");
  EXPECT_LE(recording.summary.constraint.position_max, 1e-10);
  EXPECT_FALSE(to_report(recording).empty());
}

TEST_P(CorpusFile, IsAsThePageSays) {
  const auto& row = GetParam();
  if (row.verdict == "refuse") {
    try {
      read();
      ADD_FAILURE() << "is not refused";
    } catch (const ModelError& error) {
      EXPECT_EQ(in_line(error), row.reason);
      EXPECT_GT(error.where().line, 0);
    }
    return;
  }
  const auto mechanism = read().mechanism();
  if (row.verdict == "simulate") {
    expect_simulated(mechanism, row);
    return;
  }
  ASSERT_EQ(row.verdict, "import only");
  try {
    initial_state(Model(mechanism));
    ADD_FAILURE() << "could be simulated";
  } catch (const ModelError& error) {
    EXPECT_EQ(in_line(error), row.reason);
  }
}

std::vector<Verdict> rows_if_there() {
  return std::string(kFolder).empty() ? std::vector<Verdict>{} : verdicts();
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CorpusFile);
INSTANTIATE_TEST_SUITE_P(
    Files, CorpusFile, testing::ValuesIn(rows_if_there()), [](const auto& info) {
      std::string name = info.param.file + info.param.options;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

}  // namespace
}  // namespace hamiltree
