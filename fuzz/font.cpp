// Fonts: what FreeType accepts can be drawn.
#include "algprior/io/font.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return algprior::fuzz::run(data, size, [](algprior::io::ByteView bytes) {
    const auto font = algprior::io::parse_font({bytes.begin(), bytes.end()}, "input");
    for (char32_t digit = U'0'; digit <= U'9'; ++digit) {
      if (font.has(digit)) algprior::io::render_glyph(font, digit);
    }
  });
}
