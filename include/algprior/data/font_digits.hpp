#pragma once

#include "algprior/base/random.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/io/font.hpp"

#include <cstdint>
#include <vector>

namespace algprior {

/// Digits in the manner of MNIST, 28×28, drawn from typefaces: for each of the ten digits
/// `per_digit` images, each of a random typeface, 15 to 21 pixels high, turned by up to 10 degrees,
/// slanted by up to 0.25 and shifted by up to 2 pixels. Same fonts and key, same images. About
/// 20 µs an image. Throws InputError when there is no font or one lacks a digit.
Digits draw_digits(const std::vector<io::Font>& fonts, std::int64_t per_digit,
                   const RandomKey& key);

}  // namespace algprior
