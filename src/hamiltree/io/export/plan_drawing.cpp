#include "hamiltree/io/export/plan_drawing.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/choice/lane_places.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "hamiltree/io/export/html.hpp"
#include "hamiltree/plan/plan_text.hpp"

namespace hamiltree {
namespace {

// px
constexpr double kMargin = 24.0, kAcross = 18.0, kDown = 30.0, kRadius = 4.0, kLine = 18.0;
constexpr double kLetter = 6.0, kWidestTitle = 560.0;
constexpr std::size_t kMostNames = 80;  // beyond, names are told only where the mouse rests

std::string svg_element(const std::string& tag, const std::string& title) {
  const auto name = tag.substr(1, tag.find(' ') - 1);
  return tag + "><title>" + escape_html(title) + "</title></" + name + ">\n";
}

class Drawing {
 public:
  Drawing(const Plan& plan, const Model& model)
      : plan_(plan),
        model_(model),
        recursive_(choice_of("recursive", model)),
        lanes_(lane_places(recursive_)),
        x_(plan.compounds.size()) {
    std::vector<bool> taken(plan.compounds.size(), false);
    for (const auto& compound : plan.compounds) {
      if (compound.body != kNone) continue;
      taken[at(compound.left)] = taken[at(compound.right)] = true;
    }
    for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
      if (!taken[c]) place(static_cast<int>(c));
    }
    for (const auto& compound : plan.compounds) deepest_ = std::max(deepest_, compound.depth);
    for (int b = 0; b < plan.body_count && names_shown(); ++b)
      longest_name_ = std::max(longest_name_, model.body_name(b).size());
  }

  std::string write() {
    const double top = kMargin + 3.0 * kLine, leaves = top + kDown * (deepest_ - 1);
    const double below = leaves + 3.0 * kLine + kLetter * static_cast<double>(longest_name_);
    const double width = std::max(kWidestTitle, 2.0 * kMargin + kAcross * plan_.body_count);
    const double height = below + kMargin;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + to_text(width) +
                      "\" height=\"" + to_text(height) +
                      "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    line(kMargin, model_.name(), "font-weight=\"bold\"", svg);
    line(kMargin + kLine, "hdca: " + plan_.to_text(), "", svg);
    line(kMargin + 2.0 * kLine, to_text(recursive_), "", svg);
    const auto y = [&](const Compound& compound) { return leaves - kDown * (compound.depth - 1); };
    for (std::size_t c = 0; c < plan_.compounds.size(); ++c) {
      const auto& join = plan_.compounds[c];
      if (join.body != kNone) continue;
      for (const int part : {join.left, join.right}) {
        svg += "<path d=\"M" + point(x_[at(part)], y(plan_.compounds[at(part)])) + "V" +
               to_text(y(join)) + "H" + to_text(x_[c]) + "\" fill=\"none\" stroke=\"#8a939c\"/>\n";
      }
    }
    for (std::size_t c = 0; c < plan_.compounds.size(); ++c) {
      const auto& compound = plan_.compounds[c];
      const auto colour = nth_colour(compound.closes_loop ? 1 : 0);
      svg += svg_element("<circle cx=\"" + to_text(x_[c]) + "\" cy=\"" + to_text(y(compound)) +
                             "\" r=\"" + to_text(kRadius) + "\" fill=\"" + colour + "\"",
                         compound_text(compound, model_));
    }
    for (int b = 0; b < plan_.body_count; ++b) leaf(b, leaves, svg);
    return svg + "</svg>\n";
  }

 private:
  bool names_shown() const { return at(plan_.body_count) <= kMostNames; }
  static std::string point(double x, double y) { return to_text(x) + "," + to_text(y); }

  static void line(double y, const std::string& text, const std::string& style, std::string& svg) {
    svg += "<text x=\"" + to_text(kMargin) + "\" y=\"" + to_text(y) + "\" " + style + ">" +
           escape_html(text) + "</text>\n";
  }

  // Leaves one beside the other, a join amid its two parts.
  void place(int root) {
    struct Visit {
      int compound;
      bool parts_placed;
    };
    std::vector<Visit> waiting{{root, false}};
    while (!waiting.empty()) {
      const auto [c, parts_placed] = waiting.back();
      waiting.pop_back();
      const auto& compound = plan_.compounds[at(c)];
      if (compound.body != kNone) {
        x_[at(c)] = kMargin + kAcross * (0.5 + placed_++);
      } else if (parts_placed) {
        x_[at(c)] = 0.5 * (x_[at(compound.left)] + x_[at(compound.right)]);
      } else {
        waiting.push_back({c, true});
        waiting.push_back({compound.right, false});
        waiting.push_back({compound.left, false});
      }
    }
  }

  // The lane of a body, a square, and its name.
  void leaf(int b, double leaves, std::string& svg) const {
    const double x = x_[at(b)], side = 0.7 * kAcross;
    if (!lanes_.empty()) {
      const auto [group, lane] = lanes_[at(b)];
      const bool alone = lane == kNone;
      svg += svg_element("<rect x=\"" + to_text(x - 0.5 * side) + "\" y=\"" +
                             to_text(leaves + 0.5 * kLine) + "\" width=\"" + to_text(side) +
                             "\" height=\"" + to_text(side) + "\" fill=\"" +
                             (alone ? "#e3e6e9" : nth_colour(at(lane))) + "\"",
                         alone ? model_.body_name(b) + ", in no lane"
                               : model_.body_name(b) + ", lane " + std::to_string(lane) +
                                     " of group " + std::to_string(group));
    }
    if (!names_shown()) return;
    svg += "<text transform=\"translate(" + point(x + 4.0, leaves + 2.0 * kLine) +
           ") rotate(90)\">" + escape_html(model_.body_name(b)) + "</text>\n";
  }

  const Plan& plan_;
  const Model& model_;
  Choice recursive_;
  std::vector<LanePlace> lanes_;
  std::vector<double> x_;  // by compound
  int placed_ = 0, deepest_ = 1;
  std::size_t longest_name_ = 0;
};

}  // namespace

std::string plan_drawing(const Plan& plan, const Model& model) {
  if (plan.body_count > kMostDrawnBodies) {
    throw UsageError("a plan of " + std::to_string(plan.body_count) +
                     " bodies is too large to be drawn: at most " +
                     std::to_string(kMostDrawnBodies) + " are");
  }
  return Drawing(plan, model).write();
}

}  // namespace hamiltree
