#pragma once

#include <string>
#include <string_view>

namespace algprior::report {

/// Text that may stand between tags and inside quoted attributes of HTML and SVG: & < > " ' are
/// written as entities, control characters that XML forbids and bytes that are no UTF-8 become
/// U+FFFD. Nothing that a run is called can leave its place.
std::string escape(std::string_view text);

/// RFC 4648.
std::string to_base64(std::string_view bytes);

/// A number for readers: four significant digits, an exponent only where it is shorter, "–" for
/// what is not finite. Never "-0".
std::string number_text(double value, int digits = 4);

/// A name as part of an id or a CSS class: letters and digits kept, the rest dashes.
std::string to_slug(std::string_view text);

}  // namespace algprior::report
