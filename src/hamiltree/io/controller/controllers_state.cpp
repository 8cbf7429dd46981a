#include "hamiltree/io/controller/controllers_state.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace hamiltree {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_digits(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kHexDigits[byte / 16], kHexDigits[byte % 16]};
  }
  return text;
}

std::string to_bytes(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const auto high = kHexDigits.find(text[i]), low = kHexDigits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
      throw std::runtime_error("a controller's state is not in hexadecimal digits");
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace

nlohmann::ordered_json to_json_of(const ControllersState& state) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& one : state.all)
    all.push_back({{"name", one.name},
                   {"file", one.file},
                   {"efforts", one.efforts},
                   {"state", to_digits(one.bytes)}});
  return {{"asked_until", state.asked_until}, {"all", all}};
}

ControllersState controllers_state(const nlohmann::ordered_json& object) {
  ControllersState state{object.at("asked_until"), {}};
  for (const auto& one : object.at("all"))
    state.all.push_back(
        {one.at("name"), one.at("file"), one.at("efforts"), to_bytes(one.at("state"))});
  return state;
}

}  // namespace hamiltree
