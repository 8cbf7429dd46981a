#include "hamiltree/io/import/toml_nesting.hpp"

#include <cstddef>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/limits.hpp"

namespace hamiltree {
namespace {

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void scan() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '#') {
        at_ = text_.find('\n', at_);
      } else {
        step(c);
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw ModelError({file_, line_}, "", sentence);
  }

  void step(char c) {
    if (c == '\n') ++line_;
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (depth_ > kDepth.value) fail("values nest deeper than " + to_text(kDepth));
    if (c == '.' && ++dots_ >= kKeyParts.value)
      fail("a key has more parts than " + to_text(kKeyParts));
    if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots_ = 0;
  }

  // "...", '...', """...""" or '''...'''; one that is not closed ends with its line or the text.
  void skip_string(char quote) {
    const bool long_one = text_.substr(at_, 3) == std::string(3, quote);
    at_ += long_one ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!long_one) return;
        ++line_;
      }
      if (c == '\\' && quote == '"' && text_.substr(at_ + 1, 1) != "\n") {
        at_ += 2;
        continue;
      }
      if (c == quote && (!long_one || text_.substr(at_, 3) == std::string(3, quote))) {
        at_ += long_one ? 3 : 1;
        return;
      }
      ++at_;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, depth_ = 0, dots_ = 0;
  int line_ = 1;
};

}  // namespace

void check_toml_nesting(std::string_view text, const std::string& file) {
  Scanner(text, file).scan();
}

}  // namespace hamiltree
