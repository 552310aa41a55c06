#pragma once

#include "algprior/io/bytes.hpp"

#include <memory>

namespace algprior::io {

/// The outlines of a typeface, read from a TTF, OTF, WOFF or WOFF2 file by FreeType. An immutable
/// handle, cheap to copy; one thread at a time may use it and its copies.
class Font {
 public:
  struct State;
  explicit Font(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  /// "IBM Plex Sans Medium Italic", as the file says; its path when it does not.
  std::string name() const;
  /// Whether the typeface can draw the character (a Unicode code point).
  bool has(char32_t character) const;
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Throws FileError naming the file when it is missing, damaged, no font, or has no outlines;
/// LimitError above 64 MB.
Font read_font(const std::filesystem::path& path);
/// `name` goes into errors.
Font parse_font(Bytes bytes, const std::string& name);

/// How a character is drawn into a square image. The defaults are MNIST's: ink within 20 of 28
/// pixels, in the middle.
struct GlyphOptions {
  std::int64_t size = 28;  ///< side of the image in pixels, 1 to 4096
  double cap_height = 20;  ///< height of the typeface's capitals in pixels, above 0
  double rotation = 0;     ///< about the middle of the image, counter-clockwise, in radians
  double slant = 0;        ///< horizontal shear: 0.2 leans to the right like an italic
  double right = 0;        ///< shift in pixels
  double up = 0;           ///< shift in pixels
};

/// A character as float32[size, size]: 0 is paper, 1 is ink, between them the share of the pixel
/// that the outline covers. The outline, not the picture, is scaled, slanted, turned about the
/// centre of its bounding box, which comes to the middle of the image, and shifted; no hinting. A
/// glyph that is wider than the image is made smaller until it fits; what rotation or shift move
/// out of the image is cut off. Throws InputError for a character that the typeface does not have
/// and for options out of range, FileError when the outline is damaged.
Array render_glyph(const Font& font, char32_t character, const GlyphOptions& options = {});

}  // namespace algprior::io
