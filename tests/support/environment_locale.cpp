// Puts a test program into the locale of its environment, as programs of users do: whatever that
// is, nothing may change. The extended tests choose one with a comma for the decimal point.
#include <clocale>
#include <locale>
#include <stdexcept>

namespace {

[[maybe_unused]] const bool kChosen = [] {
  if (std::setlocale(LC_ALL, "") == nullptr) {
    throw std::runtime_error("the environment asks for a locale that this machine does not have");
  }
  std::locale::global(std::locale(""));
  return true;
}();

}  // namespace
