#include "algprior/experiment/fonts.hpp"

#include "algprior/base/error.hpp"
#include "algprior/store/store.hpp"

#include <algorithm>
#include <optional>

namespace algprior {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFonts = 8;

std::optional<io::Font> read_digit_font(const fs::path& path) {
  try {
    io::Font font = io::read_font(path);
    for (char32_t digit = U'0'; digit <= U'9'; ++digit) {
      if (!font.has(digit)) return std::nullopt;
    }
    return font;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<fs::path> system_fonts(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(folder, options, error), end; entry != end;
       entry.increment(error)) {
    if (error) break;
    const std::string kind = entry->path().extension().string();
    if (kind == ".ttf" || kind == ".otf") paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::vector<io::Font> find_digit_fonts(const fs::path& system) {
  const store::Store store = store::default_store();
  const store::DataSet& set = store::set_named(store.sets, "tmnist_fonts");
  std::vector<io::Font> fonts;
  const auto take = [&](const fs::path& path) {
    if (const auto font = read_digit_font(path)) fonts.push_back(*font);
  };
  for (const store::DataFile& file : set.files) {
    if (const auto path = store::find_if_present(store, set, file)) take(*path);
  }
  if (!fonts.empty()) return fonts;
  for (const fs::path& path : system_fonts(system)) {
    if (fonts.size() < kMostFonts) take(path);
  }
  if (!fonts.empty()) return fonts;
  throw FileError({"there is no font to draw digits with", system.string(),
                   "a TTF or OTF file there, or the data set tmnist_fonts",
                   "run `algprior data get tmnist_fonts`, or install fonts (Debian: apt install "
                   "fonts-dejavu-core)"});
}

}  // namespace algprior
