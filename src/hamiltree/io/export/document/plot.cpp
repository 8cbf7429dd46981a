#include "hamiltree/io/export/document/plot.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv_field.hpp"

namespace hamiltree {
namespace {

// Pixels. Letters are as wide as in Arial, a sample as gnuplot draws it with the room around it.
constexpr std::size_t kWidth = 440, kLetter = 7, kSample = 50;
constexpr int kNotFound = 127;  // as of a shell

std::string with_unit(const Axis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " (" + axis.unit + ")";
}

// In single quotes, safe from gnuplot's own mark-up; powers in units are meant as such.
std::string gnuplot_quoted(const std::string& text, bool marked_up = false) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    if (!marked_up && std::string("\\^_{}@&~").find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result + "'";
}

std::string axis_title(const Axis& axis) {
  const std::string label = gnuplot_quoted(axis.label);
  return axis.unit.empty() ? label : label + ".' ('." + gnuplot_quoted(axis.unit, true) + ".')'";
}

bool drawable(const Axis& axis, double x) {
  return std::isfinite(x) && (!axis.logarithmic || x > 0.0);
}

bool drawable(const Figure& figure, const Curve& curve) {
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (drawable(figure.x, curve.x[i]) && drawable(figure.y, curve.y[i])) return true;
  }
  return false;
}

// How often the values of a logarithmic axis grow tenfold.
double decades(const Figure& figure, std::vector<double> Curve::*values) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const auto& curve : figure.curves) {
    for (const double x : curve.*values) {
      if (!(x > 0.0) || !std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  return high > low ? std::log10(high / low) : 0.0;
}

std::string label_of(const Figure& figure, const Curve& curve) {
  if (drawable(figure, curve)) return curve.label;
  return curve.label + (figure.y.logarithmic ? ": nothing above 0" : ": no points");
}

std::size_t longest_label(const Figure& figure) {
  std::size_t longest = 0;
  for (const auto& curve : figure.curves)
    longest = std::max(longest, label_of(figure, curve).size());
  return longest;
}

// Pixels, so that a long legend does not take the room of the plot: about how gnuplot lays it out.
std::size_t height(const Figure& figure) {
  constexpr std::size_t kPlot = 310, kRow = 15;
  const auto columns =
      std::max<std::size_t>(1, kWidth / (kLetter * longest_label(figure) + kSample));
  return kPlot + kRow * ((figure.curves.size() + columns - 1) / columns);
}

// The legend stands under the middle of the plot, which has the numbers of its axis to the left.
std::size_t width(const Figure& figure) {
  constexpr std::size_t kNumbers = 56;
  return std::max(kWidth, kLetter * longest_label(figure) + kSample + kNumbers);
}

// gnuplot takes letters for wider than they are: it cuts a legend with long labels off, and leaves
// one with longer ones out. So it is told how many of its letters these need less.
std::string narrower_legend(const Figure& figure) {
  constexpr std::size_t kLong = 36;
  constexpr double kShare = static_cast<double>(kLetter) / 9.1;  // of gnuplot's letters
  const auto longest = longest_label(figure);
  if (longest <= kLong) return "";
  return " width " + std::to_string(std::lround(static_cast<double>(longest) * (kShare - 1.0)));
}

std::string axis_script(const char* name, const Axis& axis, double decades) {
  const std::string n = name;
  std::string text = "set " + n + "label " + axis_title(axis) + "\n";
  if (!axis.logarithmic) return text;
  text += "set logscale " + n + "\n";
  if (decades > 1.0) text += "set format " + n + " '10^{%L}'\n";
  return text;
}

std::string style(const Curve& curve) {
  const std::string colour = " lc rgb '" + curve.colour + "'";
  switch (curve.style) {
    case CurveStyle::kDashed:
      return "with lines lw 1.8 dt (8,5)" + colour;
    case CurveStyle::kDotted:
      return "with lines lw 1.8 dt (2,4)" + colour;
    case CurveStyle::kPoints:
      return "with points pt 7 ps 0.5" + colour;
    case CurveStyle::kLineAndPoints:
      return "with linespoints lw 1.8 pt 7 ps 0.5" + colour;
    default:
      return "with lines lw 1.8" + colour;
  }
}

}  // namespace

void write_figure_csv(const Figure& figure, std::ostream& out) {
  out << "curve," << csv_field(with_unit(figure.x)) << ',' << csv_field(with_unit(figure.y))
      << '\n';
  for (const auto& curve : figure.curves) {
    if (curve.x.size() != curve.y.size())
      throw std::invalid_argument("figure " + figure.name + ", curve " + curve.label +
                                  ": as many x as y are needed");
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      out << csv_field(curve.label) << ',' << to_text(curve.x[i]) << ',' << to_text(curve.y[i])
          << '\n';
  }
}

std::string plot_script(const Figure& figure) {
  const bool any = std::ranges::any_of(figure.curves,
                                       [&](const Curve& curve) { return drawable(figure, curve); });
  std::string text =
      "# " + figure.name + ".svg from " + figure.name + ".csv: gnuplot " + figure.name + ".gp\n" +
      "reset\n"
      "set terminal svg size " +
      std::to_string(width(figure)) + "," + std::to_string(height(figure)) +
      " font 'Arial,13' background rgb 'white' enhanced\n"
      "set encoding utf8\n"
      "set output '" +
      figure.name + ".svg'\n" +
      "set datafile separator ','\n"
      "set border 3 lw 0.8 lc rgb '#5b6470'\n"
      "set tics nomirror out scale 0.6\n"
      "set grid lw 0.6 lc rgb '#e0e4e9'\n"
      "set key below center horizontal samplen 2.2 height 0.4" +
      narrower_legend(figure) + "\n" + axis_script("x", figure.x, decades(figure, &Curve::x)) +
      axis_script("y", figure.y, decades(figure, &Curve::y)) +
      (any ? "plot " : "set xrange [1:2]\nset yrange [1:2]\nplot NaN notitle, ");
  std::size_t row = 0;  // of the curve's first point, after the header
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const auto& curve = figure.curves[i];
    const auto first = row;
    row += curve.x.size();
    if (i > 0) text += ", \\\n     ";
    if (!drawable(figure, curve)) {
      text += "keyentry " + style(curve) + " title " + gnuplot_quoted(label_of(figure, curve));
      continue;
    }
    text += "'" + figure.name + ".csv' skip 1 every ::" + std::to_string(first) +
            "::" + std::to_string(row - 1) + " using 2:3 " + style(curve) + " title " +
            gnuplot_quoted(curve.label);
  }
  return text + "\n";
}

bool draw(std::span<const std::string> names, const std::filesystem::path& folder) {
  std::vector<std::string> words{"gnuplot"};
  for (const auto& name : names) words.push_back(name + ".gp");
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start gnuplot: the system has no room for it");
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    setenv("LC_ALL", "C.UTF-8", 1);
    if (chdir(folder.c_str()) != 0) _exit(1);
    execvp("gnuplot", arguments.data());
    _exit(errno == ENOENT ? kNotFound : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("gnuplot could not draw the figures in " + folder.string());
  return true;
}

}  // namespace hamiltree
