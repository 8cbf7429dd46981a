// 1,000 random mutations of each small model: they are read or refused, and never crash. The same
// runs under the address sanitizer (./dev test asan).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <random>

#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

constexpr int kMutations = 1000;
constexpr unsigned kSeed = 20240901;

class Mutator {
 public:
  explicit Mutator(std::string text) : text_(std::move(text)), random_(kSeed) {}

  std::string next() {
    std::string text = text_;
    for (std::size_t i = 0; i <= below(2); ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void change(std::string& text) {
    static const std::vector<std::string> kWords{"-1",
                                                 "0",
                                                 "1e308",
                                                 "nan",
                                                 "inf",
                                                 "1e-320",
                                                 "world",
                                                 "__model__",
                                                 "ground",
                                                 "<a>",
                                                 "/>",
                                                 "</",
                                                 "\"",
                                                 "'",
                                                 "<!--",
                                                 "-->",
                                                 "::",
                                                 "&lt;",
                                                 "&#0;",
                                                 "\xFF",
                                                 "{i}",
                                                 "true",
                                                 "<joint/>",
                                                 "<body/>",
                                                 "<link name='x'/>",
                                                 "999999999999999999999"};
    const std::size_t at = below(text.size());
    switch (below(9)) {
      case 0:  // another character
        if (!text.empty()) text[at] = static_cast<char>(below(256));
        break;
      case 1:  // a part less
        text.erase(at, below(40));
        break;
      case 2:  // a part twice
        text.insert(at, text.substr(below(text.size()), below(200)));
        break;
      case 3:
      case 4:
      case 5:  // a word where one was
        replace_word(text, at, kWords[below(kWords.size())]);
        break;
      case 6:
      case 7:  // a word of the file where another was
        replace_word(text, at, word_at(text, below(text.size())));
        break;
      default:  // a line less
        const auto end = std::min(text.find('\n', at), text.size());
        text.erase(at, end - at);
    }
  }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
  }
  static std::pair<std::size_t, std::size_t> bounds(const std::string& text, std::size_t at) {
    std::size_t begin = at, end = at;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    while (end < text.size() && is_word(text[end])) ++end;
    return {begin, end};
  }
  static std::string word_at(const std::string& text, std::size_t at) {
    const auto [begin, end] = bounds(text, at);
    return text.substr(begin, end - begin);
  }
  static void replace_word(std::string& text, std::size_t at, const std::string& word) {
    const auto [begin, end] = bounds(text, at);
    text.replace(begin, end - begin, word);
  }

  std::string text_;
  std::mt19937_64 random_;
};

std::vector<std::filesystem::path> small_models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(HAMILTREE_TEST_MODELS)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class Mutations : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Mutations, AreReadOrRefused) {
  const auto& file = GetParam();
  const bool is_yaml = file.extension() == ".yaml";
  const auto folder = test::own_path("mutations_" + file.filename().string());
  std::filesystem::create_directories(folder);
  Mutator mutator(read_text(file));
  int read = 0, refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", mutation " + std::to_string(i) + "\n" + text);
    try {
      ImportLog log;
      ModelSource source;
      if (is_yaml) {
        std::ofstream(folder / "side_car.yaml", std::ios::binary) << text;
        const auto urdf = read_text(test::model_file("side_car.urdf"));
        std::ofstream(folder / "side_car.urdf", std::ios::binary) << urdf;
        source = read_model(folder / "side_car.urdf", {}, log);
      } else {
        std::ofstream(folder / file.filename(), std::ios::binary) << text;
        source = read_model(folder / file.filename(), {}, log);
      }
      const Model model(source.mechanism());
      ++read;
      if (i % 20 == 0) initial_state(model);
    } catch (const ModelError& error) {
      ++refused;
      EXPECT_FALSE(error.where().file.empty()) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not a ModelError: " << error.what();
    }
  }
  std::filesystem::remove_all(folder);
  std::cout << "  " << read << " read, " << refused << " refused\n";
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, Mutations, testing::ValuesIn(small_models()), [](const auto& info) {
  std::string name = info.param.filename().string();
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace hamiltree
