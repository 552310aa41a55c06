#include "algprior/data/typefaces.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/store/store.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

// Digit d of typeface t is a square of brightness (10t + d + 1)/20 in the middle of the image.
TypefaceDigits squares() {
  auto images = at::zeros({2, 10, 28, 28});
  const auto shade = (at::arange(20, at::kFloat) + 1) / 20;
  images.narrow(2, 9, 10).narrow(3, 9, 10).copy_(shade.reshape({2, 10, 1, 1}));
  return {images, {"first", "second"}};
}

TEST(TypefacePairs, ThePartnerIsTheSameDigitInTheOtherTypefaceUnderTheSameMap) {
  const Dataset data = make_typeface_pairs("test", squares(), 500);
  const Batch batch = data.get(at::arange(500, at::kLong), RandomKey(0, "pairs"));
  EXPECT_EQ(batch.g.eq(1).sum().item<std::int64_t>(), 500);
  EXPECT_TRUE(at::equal(batch.x.ne(0), batch.gx.ne(0)));
  const auto shade = (batch.x.amax({1, 2, 3}) * 20).round().to(at::kLong) - 1;
  const auto partner = (batch.gx.amax({1, 2, 3}) * 20).round().to(at::kLong) - 1;
  EXPECT_TRUE(at::equal(shade % 10, batch.y));
  EXPECT_TRUE(at::equal((shade + 10) % 20, partner));
  const auto first = shade.lt(10).sum().item<std::int64_t>();
  EXPECT_GT(first, 200);
  EXPECT_LT(first, 300);
  // 10×10 pixels scaled by 0.8 to 1.2: areas between 64 and 144, and not all alike.
  const auto area = batch.x.ne(0).sum({1, 2, 3});
  EXPECT_GE(area.min().item<std::int64_t>(), 50);
  EXPECT_LE(area.max().item<std::int64_t>(), 160);
  EXPECT_GT(area.max().item<std::int64_t>() - area.min().item<std::int64_t>(), 50);
}

TEST(TypefacePairs, AreDrawnAnewInEveryEpochAndAlikeForOneKey) {
  const Dataset data = make_typeface_pairs("test", squares(), 50);
  const auto numbers = at::arange(50, at::kLong);
  const RandomKey key(0, "pairs");
  EXPECT_TRUE(at::equal(data.get(numbers, key.at(1)).x, data.get(numbers, key.at(1)).x));
  EXPECT_FALSE(at::equal(data.get(numbers, key.at(1)).x, data.get(numbers, key.at(2)).x));
}

class TypefaceCsv : public testing::Test {
 protected:
  fs::path write(const std::string& name, int digits, int pixel, int pixels = 784) const {
    std::string text = "names,labels";
    for (int i = 1; i <= pixels; ++i) text += fmt::format(",{}", i);
    for (const char* font : {"A", "B"}) {
      for (int digit = 0; digit < digits; ++digit) {
        text += fmt::format("\n{},{}", font, digit);
        for (int i = 0; i < pixels; ++i) text += fmt::format(",{}", i == digit ? pixel : 0);
      }
    }
    const fs::path path = fs::path(testing::TempDir()) / name;
    write_file(path, text + "\n");
    return path;
  }
};

TEST_F(TypefaceCsv, IsReadByTypefaceAndDigit) {
  const TypefaceDigits digits = read_typeface_digits(write("tmnist.csv", 10, 255), "B", "A");
  EXPECT_EQ(digits.images.sizes(), (at::IntArrayRef{2, 10, 28, 28}));
  EXPECT_TRUE(at::equal(digits.images[0].flatten(1).argmax(1), at::arange(10)));
  EXPECT_EQ(digits.images.max().item<float>(), 1.0F);
}

TEST_F(TypefaceCsv, DamageIsNamed) {
  EXPECT_THROW(read_typeface_digits(write("few.csv", 9, 255), "A", "B"), FileError);
  EXPECT_THROW(read_typeface_digits(write("bright.csv", 10, 256), "A", "B"), FileError);
  EXPECT_THROW(read_typeface_digits(write("narrow.csv", 10, 255, 700), "A", "B"), FileError);
  EXPECT_THROW(read_typeface_digits(write("other.csv", 10, 255), "A", "C"), FileError);
}

TEST(TypefaceDigits, AreDrawnFromFontFiles) {
  const fs::path shapes = fs::path(ALGPRIOR_TEST_DATA) / "io" / "shapes.ttf";
  EXPECT_THROW(render_typeface_digits(shapes, shapes), InputError);  // it has no digits
  const store::Store store = store::default_store();
  const auto& set = store::set_named(store.sets, "tmnist_fonts");
  const auto first = store::find_if_present(store, set, set.files.at(0));
  const auto second = store::find_if_present(store, set, set.files.at(1));
  if (!first || !second) GTEST_SKIP() << "the fonts are not there: algprior data get tmnist_fonts";
  const TypefaceDigits digits = render_typeface_digits(*first, *second);
  EXPECT_EQ(digits.images.sizes(), (at::IntArrayRef{2, 10, 28, 28}));
  EXPECT_GT(digits.images.sum({2, 3}).min().item<float>(), 20.0F);  // no empty image
  const auto flat = digits.images.reshape({20, 784});
  const auto distances = at::cdist(flat, flat) + 100 * at::eye(20);
  EXPECT_GT(distances.min().item<float>(), 1.0F);  // twenty different pictures
}

}  // namespace
}  // namespace algprior
