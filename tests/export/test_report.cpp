// The report's page as text: self-contained, safe against its own data, thinned where long.
// report_test.sh shows it in a browser.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "export/sample_recording.hpp"
#include "hamiltree/base/embedded.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/export/viewer_bundle.hpp"

namespace hamiltree {
namespace {

using Json = nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Json data_of(const Recording& recording) { return Json::parse(to_report_data(recording)); }

// The policy of the page forbids what three.js could fetch.
std::string without_viewer(std::string page) {
  const std::string viewer = embedded_text(page::kViewerJs);
  const auto at = page.find(viewer);
  EXPECT_NE(at, std::string::npos);
  return page.erase(at, viewer.size());
}

TEST(Report, AsksForNothingFromOutside) {
  const std::string page = without_viewer(to_report(test::four_bar()));
  for (const char* part :
       {"http://", "https://", "src=", "<link", "@import", "url(", "XMLHttpRequest", "import("}) {
    EXPECT_EQ(count(page, part), 0u) << part;
  }
  EXPECT_EQ(count(page, "default-src 'none'"), 1u);
  EXPECT_EQ(count(page, "connect-src 'none'"), 1u);
}

TEST(Report, ServedPageAsksItsServerOnly) {
  const std::string page = to_html({"a <b>", "{}", "{\"runs\":[]}"});
  EXPECT_EQ(count(page, "connect-src 'self'"), 1u);
  EXPECT_EQ(count(page, "<script id=\"served\" type=\"application/json\">{\"runs\":[]}</script>"),
            1u);
  EXPECT_EQ(count(page, "<title>a &lt;b&gt; - hamiltree report</title>"), 1u);
}

TEST(Report, EveryPlaceOfThePageIsFilled) {
  const std::string page = to_report(test::four_bar());
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_EQ(count(without_viewer(page), "{{"), 0u);
  EXPECT_EQ(count(page, "<title>four_bar - hamiltree report</title>"), 1u);
  for (const char* part : {"class Figure", "class Replay", "class Clock", "function figures",
                           "function fillSummary", "--curve-0", "</html>"}) {
    EXPECT_GE(count(page, part), 1u) << part;
  }
}

TEST(Report, HostileNamesStayText) {
  const std::string page = to_report(test::hostile());
  const std::string plain = to_report(test::double_pendulum());
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "&lt;/script&gt;&lt;script&gt;throw &quot;&#39;&amp;name{{data}}"), 2u);
  EXPECT_EQ(data_of(test::hostile())["model"], test::kHostileName);
}

TEST(Report, DataHoldsTheSamples) {
  const Recording recording = test::four_bar();
  const Json data = data_of(recording);
  const std::size_t n = recording.samples.size();
  EXPECT_EQ(data["summary"]["model"]["name"], "four_bar");
  EXPECT_EQ(data["recorded"], n);
  EXPECT_EQ(data["t"].size(), n);
  EXPECT_EQ(data["poses"].size(), 3u);
  EXPECT_EQ(data["poses"][1].size(), 3 * n);
  EXPECT_EQ(data["q"][2]["name"], "q.D");
  EXPECT_EQ(data["bodies"][1]["handles"].size(), 3u);
  for (std::size_t k = 0; k < n; ++k) {
    const double q = recording.samples[k].q[1];
    EXPECT_NEAR(data["q"][1]["values"][k].get<double>(), q, 1e-8 * std::abs(q));
  }
}

// Bodies that lie side by side do so wherever they are.
TEST(Report, PosesFarFromTheOriginHoldTogether) {
  for (const double far : {0.0, 4e4, -1e7}) {
    Recording recording = test::four_bar();
    const auto near = recording.samples;
    for (Sample& s : recording.samples) {
      for (auto& pose : s.poses) pose.position.x() += far;
    }
    const Json data = data_of(recording);
    for (std::size_t k = 0; k < near.size(); ++k) {
      for (std::size_t body = 0; body < 3; ++body) {
        EXPECT_NEAR(data["poses"][body][3 * k].get<double>() - far,
                    near[k].poses[body].position.x(), 2e-4 * recording.header.length);
      }
    }
  }
}

TEST(Report, RelativeEnergyErrorIsMeasuredAgainstTheMotion) {
  Recording recording = test::double_pendulum(3);
  const double kinetic[] = {0.0, 2.0, 1.0}, potential[] = {5.0, 3.004, 4.0};
  for (std::size_t k = 0; k < 3; ++k) {
    recording.samples[k].kinetic_energy = kinetic[k];
    recording.samples[k].potential_energy = potential[k];
  }
  const Json error = data_of(recording)["energy_error"];
  EXPECT_EQ(error[0], 0.0);
  EXPECT_NEAR(error[1].get<double>(), 0.004 / 2.0, 1e-9);
  EXPECT_EQ(error[2], 0.0);
}

TEST(Report, MechanismAtRestHasNoEnergyError) {
  Recording recording = test::double_pendulum(2);
  for (Sample& s : recording.samples) s.kinetic_energy = s.potential_energy = 0.0;
  EXPECT_EQ(data_of(recording)["energy_error"], Json::array({0.0, 0.0}));
}

TEST(Report, LongRecordingsAreThinnedButKeepTheirPeaks) {
  Recording recording = test::double_pendulum(30001);
  recording.samples[12344].velocity_residual = 0.125;
  const Json data = data_of(recording);
  EXPECT_EQ(data["recorded"], 30001);
  EXPECT_EQ(data["t"].size(), 2000u);
  EXPECT_EQ(data["t"].front(), 0.0);
  EXPECT_EQ(data["t"].back(), 10.0);
  const auto residual = data["velocity_residual"].get<std::vector<double>>();
  EXPECT_EQ(*std::max_element(residual.begin(), residual.end()), 0.125);
  EXPECT_LT(to_report_data(recording).size(), 1'000'000u);
}

TEST(Report, WhatIsNotFiniteIsAGap) {
  const Json data = data_of(test::hostile());
  EXPECT_TRUE(data["v"][0]["values"][20].is_null());
  EXPECT_TRUE(data["kinetic_energy"][21].is_null());
  EXPECT_TRUE(data["poses"][1][3 * 22].is_null());
}

TEST(Report, SampleThatDoesNotFitTheHeaderIsRefused) {
  Recording recording = test::double_pendulum(3);
  recording.samples[2].poses.pop_back();
  EXPECT_THROW(to_report(recording), std::invalid_argument);
}

}  // namespace
}  // namespace hamiltree
