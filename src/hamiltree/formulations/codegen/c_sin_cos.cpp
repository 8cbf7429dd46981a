#include "hamiltree/formulations/codegen/c_sin_cos.hpp"

#include "hamiltree/formulations/codegen/c_body.hpp"
#include "hamiltree/formulations/codegen/c_expression.hpp"
#include "hamiltree/math/quarter_turns.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree::codegen {
namespace {

// By the quadrant as the rest of k in -2 to 2: k is odd where it is 1 or -1, both signs of 2 are
// the same quadrant.
Routine record(bool is_array) {
  Routine routine{
      "sin_cos", "", {{"angle", 1, "rad", is_array}}, {{"sine", 1, ""}, {"cosine", 1, ""}}, {}};
  const TraceScope scope(routine.trace);
  const auto turns = quarter_turns(routine.trace.input("angle"));
  const Traced rest =
      turns.k - Traced(4) * ((turns.k * Traced(0.25) + Traced(kRound)) - Traced(kRound));
  const Traced half(0.5), one(1.0), more(1.5);
  const Traced size = abs(rest);
  // Each selection has one comparison as its mask: compilers then need no branch.
  const Traced odd_s = select(half < size, turns.cosine, turns.sine);
  const Traced odd_c = select(half < size, turns.sine, turns.cosine);
  const Traced s = select(more < size, turns.sine, odd_s);
  const Traced c = select(more < size, turns.cosine, odd_c);
  routine.trace.output("sine", select(one < abs(rest - half), -s, s));
  routine.trace.output("cosine", select(one < abs(rest + half), -c, c));
  return routine;
}

}  // namespace

// With -ffast-math compilers would fold the rounding away.
std::string c_sin_cos(const std::string& qualifier) {
  return "/* Sine and cosine without a branch; the library's where an angle is too large for that. "
         "*/\n"
         "static inline " +
         qualifier +
         "void sin_cos(double angle, double *sine, double *cosine)\n{\n"
         "#ifndef __FAST_MATH__\n"
         "  if (fabs(angle) <= " +
         c_number(kLargestAngle).text + ") {\n" + c_body(record(false)) +
         "  return;\n  }\n"
         "#endif\n"
         "  *sine = sin(angle);\n"
         "  *cosine = cos(angle);\n}\n";
}

std::string c_sin_cos_8() {
  return "/* The same of eight angles. */\n"
         "static void sin_cos_8(const double *restrict angle, double *restrict sine,\n"
         "                      double *restrict cosine)\n{\n"
         "#ifndef __FAST_MATH__\n" +
         c_body_in_lanes(record(true)) +
         "#endif\n"
         "  for (int k = 0; k < 8; ++k) {\n"
         "#ifndef __FAST_MATH__\n"
         "    if (fabs(angle[k]) <= " +
         c_number(kLargestAngle).text +
         ") continue;\n"
         "#endif\n"
         "    sine[k] = sin(angle[k]);\n"
         "    cosine[k] = cos(angle[k]);\n"
         "  }\n}\n";
}

}  // namespace hamiltree::codegen
