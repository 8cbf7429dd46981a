#include "hamiltree/io/import/mjcf/coefficient.hpp"

namespace hamiltree::mjcf {

double linear_coefficient(const XmlElement& element, const char* attribute) {
  if (!element.has(attribute)) return 0.0;
  const Eigen::VectorXd given = element.numbers(attribute);
  if (given.size() == 0) element.fail(std::string(attribute) + " must be a number");
  if (!given.tail(given.size() - 1).isZero(0.0)) {
    element.fail(std::string(attribute) + " is a polynomial (" + element.text(attribute) +
                 ") in the deflection or velocity; only a single coefficient is simulated");
  }
  return given(0);
}

}  // namespace hamiltree::mjcf
