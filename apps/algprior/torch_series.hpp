#pragma once

#include <string>
#include <string_view>

namespace algprior {

/// "1.13" of "1.13.0". LibTorch's own files name the first release of a series in later ones too
/// (Debian's 1.13.1 says 1.13.0), so only the series is told.
inline std::string torch_series(std::string_view version) {
  const std::size_t minor = version.find('.');
  if (minor == std::string_view::npos) return std::string(version);
  return std::string(version.substr(0, version.find('.', minor + 1)));
}

}  // namespace algprior
