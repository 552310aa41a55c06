// Configurations: the first line is a --set text, the rest TOML. What is accepted is written as
// TOML that reads back to the same settings.
#include "algprior/toml/read_config.hpp"
#include "fuzz.hpp"

namespace {

const algprior::config::Schema& schema() {
  using algprior::config::Key;
  static const algprior::config::Schema keys({
      Key::boolean("b", ""),
      Key::integer("a.i", "").at_least(-5).by_default(1),
      Key::real("a.r", "").above(0),
      Key::text("t", "").by_default("x"),
      Key::text("a.c", "").one_of({"one", "two"}),
      Key::integers("l.i", ""),
      Key::reals("l.r", "").of_length(2),
      Key::texts("l.t", ""),
  });
  return keys;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    std::string_view text = algprior::io::as_text(bytes);
    std::vector<std::string> overrides;
    const std::size_t line = text.find('\n');
    if (line != std::string_view::npos && line > 0) overrides.emplace_back(text.substr(0, line));
    if (line != std::string_view::npos) text.remove_prefix(line + 1);
    const auto config = algprior::config::parse_config(schema(), text, "input", overrides);
    const std::string written = algprior::config::to_toml(config);
    const auto again = algprior::config::parse_config(schema(), written, "again");
    algprior::fuzz::require(algprior::config::to_toml(again) == written);
  });
}
