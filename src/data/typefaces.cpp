#include "algprior/data/typefaces.hpp"

#include "algprior/action/resample.hpp"
#include "algprior/base/error.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/io/font.hpp"
#include "algprior/nn/arrays.hpp"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kSide = 28;
constexpr std::int64_t kDigits = 10;
constexpr std::int64_t kPixels = kSide * kSide;

at::Tensor render_digits(const io::Font& font) {
  std::vector<at::Tensor> images;
  for (char32_t digit = U'0'; digit <= U'9'; ++digit) {
    images.push_back(to_tensor(io::render_glyph(font, digit)));
  }
  return at::stack(images);
}

[[noreturn]] void fail_csv(const std::filesystem::path& csv, const std::string& what,
                           const std::string& expected) {
  throw FileError({what, csv.string(), expected, "take TMNIST_Data.csv as it was published"});
}

at::Tensor digits_of(const io::CsvTable& table, const at::Tensor& pixels, const std::string& font,
                     const std::filesystem::path& csv) {
  const auto& names = table.column("names");
  const auto& labels = table.column("labels");
  if (names.numeric || !labels.numeric) {
    fail_csv(csv, "names or labels are of the wrong kind", "typefaces by name, digits by number");
  }
  std::vector<at::Tensor> images(kDigits);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (names.texts[row] != font) continue;
    const double label = labels.numbers[row];
    if (label < 0 || label > 9 || label != std::floor(label)) {
      fail_csv(csv, fmt::format("row {} has label {}", row + 2, label), "0 to 9");
    }
    images[static_cast<std::size_t>(label)] = pixels.select(0, static_cast<std::int64_t>(row));
  }
  for (std::size_t digit = 0; digit < images.size(); ++digit) {
    if (!images[digit].defined()) {
      fail_csv(csv, fmt::format("typeface {} lacks digit {}", font, digit), "all ten digits");
    }
  }
  return at::stack(images).reshape({kDigits, kSide, kSide});
}

}  // namespace

TypefaceDigits render_typeface_digits(const std::filesystem::path& first,
                                      const std::filesystem::path& second) {
  const auto a = io::read_font(first);
  const auto b = io::read_font(second);
  return {at::stack({render_digits(a), render_digits(b)}), {a.name(), b.name()}};
}

TypefaceDigits read_typeface_digits(const std::filesystem::path& csv, const std::string& first,
                                    const std::string& second) {
  const auto table = io::read_csv(csv);
  if (table.columns.size() != 2 + kPixels) {
    fail_csv(csv, fmt::format("the table has {} columns", table.columns.size()),
             "names, labels and 784 pixels");
  }
  const auto pixels = to_tensor(io::to_array(table, 2, kPixels)).to(at::kFloat);
  if (pixels.numel() == 0 || pixels.min().item<float>() < 0 || pixels.max().item<float>() > 255) {
    fail_csv(csv, "a pixel is out of range", "0 to 255");
  }
  const auto scaled = pixels / 255.0;
  return {at::stack({digits_of(table, scaled, first, csv), digits_of(table, scaled, second, csv)}),
          {first, second}};
}

Dataset make_typeface_pairs(std::string name, const TypefaceDigits& digits, std::int64_t size) {
  if (!digits.images.defined() || !digits.images.sizes().equals({2, kDigits, kSide, kSide}) ||
      !digits.images.is_floating_point()) {
    throw InputError(
        {"these are no digits of two typefaces",
         digits.images.defined() ? std::string(digits.images.dtype().name()) : "no tensor",
         "numbers in [0, 1], 2 x 10 x 28 x 28", ""});
  }
  const auto images = digits.images.reshape({2 * kDigits, 1, kSide, kSide}).contiguous();
  return make_dataset(
      std::move(name), size, [images](const at::Tensor& indices, const RandomKey& key) {
        const auto numbers = indices.contiguous();
        const auto samples = numbers.numel();
        const auto chosen = at::empty({2, samples}, at::kLong);
        const auto maps = at::empty({samples, 2, 2}, at::kFloat);
        Batch batch;
        batch.y = at::empty({samples}, at::kLong);
        auto* first = chosen.data_ptr<std::int64_t>();
        auto* map = maps.data_ptr<float>();
        for (std::int64_t i = 0; i < samples; ++i, map += 4) {
          RandomStream random(
              key.sample(static_cast<std::uint64_t>(numbers.data_ptr<std::int64_t>()[i])));
          const auto digit = static_cast<std::int64_t>(random.below(kDigits));
          const std::int64_t typeface = random.coin() ? 1 : 0;
          const double angle = (random.uniform() - 0.5) * std::numbers::pi;
          const double scale = 0.8 + 0.4 * random.uniform();
          first[i] = typeface * kDigits + digit;
          first[samples + i] = (1 - typeface) * kDigits + digit;
          batch.y.data_ptr<std::int64_t>()[i] = digit;
          // The affine map of the specification, by its inverse: clockwise and enlarging.
          const auto c = static_cast<float>(std::cos(angle) / scale);
          const auto s = static_cast<float>(std::sin(angle) / scale);
          map[0] = c;
          map[1] = s;
          map[2] = -s;
          map[3] = c;
        }
        const auto both = images.index_select(0, chosen.reshape({-1}));
        const auto moved = resample(both, at::cat({maps, maps}), Resampling::nearest);
        batch.x = moved.narrow(0, 0, samples);
        batch.gx = moved.narrow(0, samples, samples);
        batch.gy = batch.y;
        batch.g = at::ones({samples}, at::kLong);
        return batch;
      });
}

}  // namespace algprior
