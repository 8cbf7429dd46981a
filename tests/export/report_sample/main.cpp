// report_sample FOLDER: writes reports of synthetic recordings and of a simulated one, for the
// browser test and the eye.
#include <filesystem>
#include <fstream>
#include <regex>

#include "export/sample_recording.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/report.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  namespace test = hamiltree::test;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  const std::pair<const char*, hamiltree::Recording> recordings[] = {
      {"planar.html", test::double_pendulum()},
      {"long.html", test::double_pendulum(30001)},
      {"loop.html", test::four_bar()},
      {"spatial.html", test::spatial_arm()},
      {"hostile.html", test::hostile()},
      {"single.html", test::double_pendulum(1)},
      {"empty.html", test::double_pendulum(0)},
      {"thousand.html", test::spatial_arm(1000, 200)},
      {"brief.html", test::brief()},
      {"crossed.html", test::crossed()},
      {"near.html", test::far_away(0.0)},
      {"far.html", test::far_away(4e6)},
  };
  for (const auto& [name, recording] : recordings) {
    std::ofstream out(folder / name, std::ios::binary);
    out << hamiltree::to_report(recording);
    if (!out.flush()) return 1;
  }
  // With joints, reactions, open loops and a plan, and a body with a name of its own.
  hamiltree::ImportLog log;
  auto source = hamiltree::read_model(HAMILTREE_MECHANISMS "/four_bar_spatial/model.toml", {}, log);
  source.text = std::regex_replace(source.text, std::regex("\"coupler\""), "\"<script>\"");
  hamiltree::Simulation simulation{hamiltree::Model(source.mechanism())};
  std::ofstream out(folder / "mechanism.html", std::ios::binary);
  out << hamiltree::to_report(simulation.run_until(6.0), &simulation.model());
  if (!out.flush()) return 1;
  // With many events, two methods and numbers that need a power of ten.
  source = hamiltree::read_model(HAMILTREE_MECHANISMS "/four_bar/model.toml", {}, log);
  auto heavy = source.mechanism();
  for (auto& body : heavy.bodies) body.mass *= 1e6;
  hamiltree::Simulation crossing{hamiltree::Model(heavy)};
  auto many = crossing.run_until(6.0);
  many.summary.integrator.changes = {{0.5, "bdf"}};
  many.summary.energy.conservative = false;
  for (int k = 0; k < 30; ++k) many.summary.events.push_back({"low", 0.03 * k});
  std::ofstream events(folder / "events.html", std::ios::binary);
  events << hamiltree::to_report(many, &crossing.model());
  if (!events.flush()) return 1;
  // With every shape, and meshes of every format.
  source = hamiltree::read_model(HAMILTREE_LOOKS "/model.toml", {}, log);
  hamiltree::Simulation looked{hamiltree::Model(source.mechanism())};
  std::ofstream looks(folder / "looks.html", std::ios::binary);
  looks << hamiltree::to_report(looked.run_until(6.0), &looked.model(),
                                {source.looks(), source.file, false});
  if (!looks.flush()) return 1;
}
