#include "hardware/compiler/c_program.hpp"

#include <cctype>
#include <cstddef>
#include <iomanip>
#include <sstream>

#include "hamiltree/formulations/codegen/harmless.hpp"

namespace hamiltree::hardware {

namespace {

std::string identifier(const std::string& name) {
  std::string text = "hamiltree_";
  for (const char c : name) {
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return text;
}

std::string hex(Word value) {
  std::ostringstream text;
  text << "0x" << std::hex << std::setw(8) << std::setfill('0') << value << 'u';
  return text.str();
}

void write_words(std::ostream& out, const std::string& name, const std::vector<Word>& words,
                 std::size_t in_line) {
  out << "static const uint32_t " << name << "[] = {";
  for (std::size_t i = 0; i < words.size(); ++i) {
    out << (i % in_line == 0 ? "\n  " : " ") << hex(words[i]) << ',';
  }
  out << "\n};\n";
}

}  // namespace

std::string to_c_header(const std::string& mechanism, const Program& program,
                        const std::vector<Word>& start) {
  const auto name = identifier(mechanism);
  const auto& shape = program.shape;
  std::ostringstream out;
  out << "/* A step of " << codegen::harmless(mechanism)
      << ", made by hamiltree-lab chip. The words of the state:\n";
  for (std::size_t i = 0; i < program.states.size(); ++i) {
    out << "     " << i << "  " << codegen::harmless(program.states[i]) << '\n';
  }
  out << "*/\n#include \"hamiltree_chip.h\"\n\n";
  std::vector<Word> words;
  for (const auto& word : program.words) words.insert(words.end(), word.begin(), word.end());
  write_words(out, name + "_words", words, static_cast<std::size_t>(shape.word_slices()));
  out << "static const hamiltree_constant " << name << "_constants[] = {\n";
  for (const auto& c : program.constants) {
    out << "  {" << c.place.bank << ", " << c.place.address << ", " << hex(c.value) << "},\n";
  }
  out << "};\n";
  write_words(out, name + "_start", start, 8);
  out << "static const hamiltree_program " << name << "_program = {\n  {" << shape.adders << ", "
      << shape.multipliers << ", " << shape.address_bits << ", " << shape.program_bits << ", "
      << shape.snapshot_bits << ", 0},\n  " << program.words.size() << ", " << shape.word_slices()
      << ", " << name << "_words,\n  " << program.constants.size() << ", " << name
      << "_constants,\n  " << program.states.size() << "\n};\n";
  return out.str();
}

}  // namespace hamiltree::hardware
