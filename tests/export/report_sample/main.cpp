// report_sample FOLDER: writes reports of synthetic recordings, for the browser test and the eye.
#include <filesystem>
#include <fstream>

#include "export/sample_recording.hpp"
#include "hamiltree/io/export/report.hpp"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  namespace test = hamiltree::test;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  const std::pair<const char*, hamiltree::Recording> recordings[] = {
      {"planar.html", test::double_pendulum()}, {"long.html", test::double_pendulum(30001)},
      {"loop.html", test::four_bar()},          {"spatial.html", test::spatial_arm()},
      {"hostile.html", test::hostile()},        {"single.html", test::double_pendulum(1)},
      {"empty.html", test::double_pendulum(0)},
  };
  for (const auto& [name, recording] : recordings) {
    std::ofstream out(folder / name, std::ios::binary);
    out << hamiltree::to_report(recording);
    if (!out.flush()) return 1;
  }
}
