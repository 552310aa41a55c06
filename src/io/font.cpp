#include "algprior/io/font.hpp"

#include "cursor.hpp"

#include <cmath>

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_BBOX_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H

namespace algprior::io {

/// FreeType reads from `bytes` for as long as the face lives, so they live together.
struct Font::State {
  std::string path;
  Bytes bytes;
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  double cap_height = 0;  ///< of the capitals, in font units; 0: the typeface does not say

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (face != nullptr) FT_Done_Face(face);
    if (library != nullptr) FT_Done_FreeType(library);
  }
};

namespace {

constexpr std::uint64_t kFontLimit = std::uint64_t{64} << 20;
constexpr std::int64_t kLargestImage = 4096;
constexpr int kGrayLevels = 256;
// Outlines are drawn on a grid of 1/64 pixel; matrices have 16 binary places.
constexpr double kSubpixels = 64;
constexpr double kFixedOne = 65536;

/// Font units, unscaled: the outline itself, without hints and without bitmaps made for one size.
constexpr FT_Int32 kOutlineOnly = FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP;

[[noreturn]] void fail_font(const std::string& path, const std::string& what, FT_Error error = 0) {
  throw FileError({error == 0 ? what : fmt::format("{} (FreeType error {:#04x})", what, error),
                   path, "a TTF, OTF, WOFF or WOFF2 file with outlines",
                   "fetch the file again, or take another font"});
}

/// The outline of a character in font units; it belongs to the face until the next call.
FT_Outline& load_outline(const Font::State& state, char32_t character) {
  const FT_UInt index = FT_Get_Char_Index(state.face, character);
  if (index == 0) {
    throw InputError(
        {"the typeface cannot draw this character",
         fmt::format("U+{:04X} in {}", static_cast<std::uint32_t>(character), state.path),
         "a character that the font has", "take another font or another character"});
  }
  if (const FT_Error error = FT_Load_Glyph(state.face, index, kOutlineOnly)) {
    fail_font(state.path, "a glyph of the font is damaged", error);
  }
  if (state.face->glyph->format != FT_GLYPH_FORMAT_OUTLINE) {
    fail_font(state.path, "a glyph of the font is no outline");
  }
  return state.face->glyph->outline;
}

FT_BBox box_of(const Font::State& state, FT_Outline& outline) {
  FT_BBox box{};
  if (const FT_Error error = FT_Outline_Get_BBox(&outline, &box)) {
    fail_font(state.path, "a glyph of the font is damaged", error);
  }
  return box;
}

/// From the font's own table where it is recent enough, else from its letter H.
double find_cap_height(const Font::State& state) {
  const auto* table = static_cast<TT_OS2*>(FT_Get_Sfnt_Table(state.face, FT_SFNT_OS2));
  if (table != nullptr && table->version != 0xFFFF && table->version >= 2 &&
      table->sCapHeight > 0) {
    return table->sCapHeight;
  }
  if (FT_Get_Char_Index(state.face, U'H') == 0) return 0;
  const FT_BBox box = box_of(state, load_outline(state, U'H'));
  return static_cast<double>(box.yMax - box.yMin);
}

void check_options(const GlyphOptions& options) {
  const bool finite = std::isfinite(options.cap_height) && std::isfinite(options.rotation) &&
                      std::isfinite(options.slant) && std::isfinite(options.right) &&
                      std::isfinite(options.up);
  const auto most = static_cast<double>(kLargestImage);
  if (finite && options.size >= 1 && options.size <= kLargestImage && options.cap_height > 0 &&
      options.cap_height <= most && std::abs(options.slant) <= 10 &&
      std::abs(options.right) <= most && std::abs(options.up) <= most) {
    return;
  }
  throw InputError(
      {"a glyph cannot be drawn like this",
       fmt::format("size {}, cap height {}, rotation {}, slant {}, shift ({}, {})", options.size,
                   options.cap_height, options.rotation, options.slant, options.right, options.up),
       fmt::format("finite numbers, size 1 to {0}, cap height above 0 and up to {0}",
                   kLargestImage),
       ""});
}

FT_Fixed to_fixed(double value) {
  return std::lround(value * kFixedOne);
}

/// Scale, slant, rotation, shift: font units become 1/64 pixels from the lower left corner.
void place(const Font::State& state, FT_Outline& outline, const GlyphOptions& options) {
  const FT_BBox box = box_of(state, outline);
  const auto width = static_cast<double>(box.xMax - box.xMin);
  const auto height = static_cast<double>(box.yMax - box.yMin);
  const double reference = state.cap_height > 0 ? state.cap_height : height;
  if (width <= 0 || height <= 0 || reference <= 0) return;  // a space: nothing to draw
  const auto side = static_cast<double>(options.size);
  const double fit = side / std::max(width + std::abs(options.slant) * height, height);
  const double scale = kSubpixels * std::min(options.cap_height / reference, fit);

  FT_Outline_Translate(&outline, -(box.xMin + box.xMax) / 2, -(box.yMin + box.yMax) / 2);
  const double c = scale * std::cos(options.rotation), s = scale * std::sin(options.rotation);
  const FT_Matrix matrix{to_fixed(c), to_fixed(c * options.slant - s), to_fixed(s),
                         to_fixed(s * options.slant + c)};
  FT_Outline_Transform(&outline, &matrix);
  FT_Outline_Translate(&outline, std::lround(kSubpixels * (side / 2 + options.right)),
                       std::lround(kSubpixels * (side / 2 + options.up)));
}

}  // namespace

std::string Font::name() const {
  if (state_->face->family_name == nullptr) return state_->path;
  std::string name = state_->face->family_name;
  if (state_->face->style_name != nullptr) name += fmt::format(" {}", state_->face->style_name);
  return name;
}

bool Font::has(char32_t character) const {
  return FT_Get_Char_Index(state_->face, character) != 0;
}

Font parse_font(Bytes bytes, const std::string& name) {
  auto state = std::make_shared<Font::State>();
  state->path = name;
  state->bytes = std::move(bytes);
  if (FT_Init_FreeType(&state->library) != 0) fail_font(name, "FreeType does not start");
  if (const FT_Error error =
          FT_New_Memory_Face(state->library, reinterpret_cast<const FT_Byte*>(state->bytes.data()),
                             static_cast<FT_Long>(state->bytes.size()), 0, &state->face)) {
    fail_font(name, "this is no font, or it is damaged", error);
  }
  if (!FT_IS_SCALABLE(state->face)) fail_font(name, "the font has no outlines");
  if (state->face->charmap == nullptr) {
    fail_font(name, "the font does not say which glyph belongs to which character");
  }
  state->cap_height = find_cap_height(*state);
  return Font(std::move(state));
}

Font read_font(const std::filesystem::path& path) {
  return parse_font(read_bytes(path, kFontLimit), path.string());
}

Array render_glyph(const Font& font, char32_t character, const GlyphOptions& options) {
  check_options(options);
  const Font::State& state = font.state();
  FT_Outline& outline = load_outline(state, character);
  place(state, outline, options);

  const auto side = static_cast<std::size_t>(options.size);
  std::vector<unsigned char> gray(side * side);
  FT_Bitmap bitmap{};
  bitmap.rows = bitmap.width = static_cast<unsigned>(side);
  bitmap.pitch = static_cast<int>(side);  // positive: the first row is the top one
  bitmap.buffer = gray.data();
  bitmap.num_grays = kGrayLevels;
  bitmap.pixel_mode = FT_PIXEL_MODE_GRAY;
  if (const FT_Error error = FT_Outline_Get_Bitmap(state.library, &outline, &bitmap)) {
    fail_font(state.path, "a glyph of the font cannot be drawn", error);
  }
  std::vector<float> ink(gray.size());
  for (std::size_t i = 0; i < gray.size(); ++i) ink[i] = static_cast<float>(gray[i]) / 255.0F;
  return make_array({options.size, options.size}, ink);
}

}  // namespace algprior::io
