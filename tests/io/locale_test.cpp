// Numbers are read and written in the same way whatever the locale: everything that this program
// reads and writes, once in the C locale, once where the decimal point is a comma and thousands are
// grouped, for C++ streams as for the C library.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/model/mjcf_writer.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/model/urdf_writer.hpp"
#include "hamiltree/io/export/plan_drawing.hpp"
#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/export/summary.hpp"
#include "hamiltree/io/import/csv_table.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/run_saver.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/plan/plan.hpp"
#include "hamiltree/sweep/study.hpp"
#include "hamiltree/sweep/sweep.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"
#include "support/recorded.hpp"
#include "support/tell.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

class Comma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

fs::path scratch() { return test::own_path("locale"); }

std::string imported() {
  std::string text;
  for (const char* name : {"arm.urdf", "frames.sdf", "tree.xml", "side_car.urdf"}) {
    ImportLog log;
    const auto mechanism =
        read_model(test::model_file(name), {}, log).mechanism({"gravity=[0.5, -1e-3, -9.81]"});
    text += to_native(mechanism);
    for (const auto& line : log.lines()) text += line + "\n";
  }
  return text;
}

std::string converted() {
  ImportLog log;
  const auto arm = read_model(test::model_file("arm.urdf"), {}, log).mechanism();
  return to_urdf(arm) + to_mjcf(arm);
}

std::string recorded(const Model& model, Recording& run) {
  run.summary.wall_seconds = 0.0;
  std::stringstream csv;
  std::ostringstream steps;
  write_csv(run, csv);
  write_steps_csv(run, steps);
  std::string text = csv.str() + steps.str() + to_json(run.summary) + to_report_data(run, &model);
  for (const auto& column : read_csv_table(csv, "csv").columns) {
    for (const double value : column) text += to_text(value) + "\n";
  }
  return text +
         model.visit([&](const auto& system) { return plan_drawing(make_plan(system), model); });
}

std::string misfit(Recording run) {
  run.samples.at(1).q.resize(0);
  std::ostringstream csv;
  try {
    write_csv(run, csv);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

std::string taken_up(const Recording& run, const Simulation& simulation) {
  const auto file = std::string(HAMILTREE_MECHANISMS) + "/four_bar/model.toml";
  SavedRun saved;
  saved.model_file = file;
  saved.model_text = read_text(file);
  saved.checkpoint = simulation.checkpoint();
  saved.checkpoint.diagnostics.wall_seconds = 0.0;
  RunSaver saver(scratch());
  test::tell(run, saver);
  saver.save(saved);
  const auto again = load_run(scratch());
  const auto so_far = load_recording(again, again.model(), scratch());
  std::ostringstream csv;
  write_csv(so_far, csv);
  return read_text(scratch() / "checkpoint.json") + read_text(scratch() / "checkpoint.csv") +
         csv.str();
}

std::string swept() {
  const auto folder = scratch() / "sweep";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "study.toml")
      << "format = 1\nmodel = \"" HAMILTREE_MECHANISMS
         "/four_bar/model.toml\"\n"
         "[sample]\nmethod = \"grid\"\n[[parameter]]\nname = \"m\"\nvalues = [1.5, 2.25]\n"
         "[[set]]\npath = \"body.crank.mass\"\nvalue = \"m * 1.5e-1 + 0.5\"\n"
         "[run]\nintegrator = \"rk4\"\nstep = 0.01\nuntil = 0.05\n";
  ImportLog log;
  SweepOptions options;
  options.folder = folder / "out";
  options.threads = 1;
  run_sweep(read_study(folder / "study.toml", {}, log), options);
  return read_text(folder / "out" / "results.csv");
}

std::string everything() {
  const Model four_bar = test::shipped("four_bar", {"body.crank.mass=1.25"});
  Simulation simulation(test::shipped("four_bar"), {.integrator = DormandPrince{1e-6, 1e-6}});
  Recording run = simulation.run_until(1.5, 0.00125);  // more than a thousand samples
  return imported() + converted() + to_native(four_bar.mechanism()) +
         recorded(simulation.model(), run) + misfit(run) + taken_up(run, simulation) + swept();
}

// Sets both locales for as long as it lives.
class InLocale {
 public:
  InLocale(const std::locale& streams, const char* library)
      : streams_(std::locale::global(streams)) {
    set_ = std::setlocale(LC_ALL, library) != nullptr;
  }
  InLocale(const InLocale&) = delete;
  InLocale& operator=(const InLocale&) = delete;
  ~InLocale() {
    std::locale::global(streams_);
    std::setlocale(LC_ALL, "C");
  }
  bool library_is_set() const { return set_; }

 private:
  std::locale streams_;
  bool set_ = false;
};

// A German locale, made for this test: machines seldom have one.
bool make_german() {
  fs::create_directories(scratch());
  const auto made = scratch() / "de_DE.UTF-8";
  const auto command = "localedef -i de_DE -f UTF-8 " + made.string() + " >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return false;
  setenv("LOCPATH", scratch().c_str(), 1);
  return true;
}

TEST(Locale, OfStreamsChangesNothing) {
  const std::string expected = everything();
  const InLocale comma(std::locale(std::locale::classic(), new Comma), "C");
  std::ostringstream check;
  check << 1234.5;
  ASSERT_EQ(check.str(), "1.234,5");
  EXPECT_EQ(everything(), expected);
  fs::remove_all(scratch());
}

TEST(Locale, OfTheLibraryChangesNothing) {
  if (!make_german()) GTEST_SKIP() << "localedef (Debian: locales) makes no German locale here";
  const std::string expected = everything();
  const InLocale german(std::locale::classic(), "de_DE.UTF-8");
  ASSERT_TRUE(german.library_is_set());
  ASSERT_EQ(std::strtod("1,5", nullptr), 1.5);
  EXPECT_EQ(everything(), expected);
  fs::remove_all(scratch());
}

}  // namespace
}  // namespace hamiltree
