#pragma once

#include "algprior/io/font.hpp"

#include <filesystem>
#include <vector>

namespace algprior {

/// Where the system keeps its fonts.
inline constexpr const char* kSystemFonts = "/usr/share/fonts";

/// Typefaces with all ten digits: those of the data store (tmnist_fonts), else up to eight below
/// `system`, in the order of their paths. Files that are no fonts are passed over. Throws FileError
/// saying where it looked and what to install when there are none.
std::vector<io::Font> find_digit_fonts(const std::filesystem::path& system = kSystemFonts);

}  // namespace algprior
