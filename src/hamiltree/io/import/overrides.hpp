// `--set path=value`: values changed by name in a parsed model file, before it is read.
#pragma once

#include <toml++/toml.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hamiltree {

// Each override is `gravity=[0, -1]` or `body.crank.mass=2`: a top-level key, or the kind and name
// of an element and the keys that lead to the value, then a TOML value (a bare word is a string). A
// whole number leads to an entry of a list, counted from 0: `body.crank.com.0=0.1`. A name that
// holds a dot is written in quotes. Throws OptionError naming the part of the path that leads
// nowhere; a key or value that the reader later refuses is an OptionError too (toml_reader.hpp).
void apply_overrides(toml::table& document, const std::vector<std::string>& overrides);

// A number that is set again and again at one path, which messages name.
class NumberAt {
 public:
  // Throws OptionError, as all below, for what is no path.
  explicit NumberAt(const std::string& path);
  NumberAt(NumberAt&&) noexcept;
  ~NumberAt();

  // Throws as apply_overrides().
  void set(toml::table& document, double number);
  // Whether a number with a fraction stands there, for which any other may stand. Throws
  // OptionError where no element has the name, and for a text.
  bool leads_to_a_number(toml::table& document) const;

 private:
  struct Path;
  std::unique_ptr<Path> path_;
};

}  // namespace hamiltree
