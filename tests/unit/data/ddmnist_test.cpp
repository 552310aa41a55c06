#include "algprior/data/ddmnist.hpp"

#include "../../kernels_for_now.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/idx.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/arrays.hpp"

#include <filesystem>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

constexpr double kBlack = -kDdmnistMean / kDdmnistDeviation;

// Smooth blobs whose place and brightness tell the digit and the copy.
Digits test_digits(std::int64_t copies = 3) {
  std::vector<at::Tensor> images;
  std::vector<std::int64_t> labels;
  const auto axis = at::arange(28, at::kDouble) - 13.5;
  for (std::int64_t digit = 0; digit < 10; ++digit) {
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      const double cu = 4.0 * std::cos(static_cast<double>(digit));
      const double cv = 4.0 * std::sin(static_cast<double>(digit) + 0.3);
      const auto blob =
          (-((axis.unsqueeze(0) - cu).square() + (axis.unsqueeze(1) - cv).square() * 2.0) / 24.0)
              .exp();
      images.push_back((blob * (255.0 - 40.0 * static_cast<double>(copy))).to(at::kByte));
      labels.push_back(digit);
    }
  }
  return make_digits(at::stack(images), at::tensor(labels, at::kLong));
}

at::Tensor all_of(const Dataset& dataset) {
  return at::arange(dataset.size, at::kLong);
}

TEST(Ddmnist, HasAHundredClassesOfPairsLeftDigitSlow) {
  const auto digits = test_digits();
  DdmnistOptions options;
  options.images_per_class = 2;
  options.view = DdmnistView::plain;
  const auto data = make_ddmnist(digits, make_group("C4"), RandomKey(0, "pairs"), options);
  EXPECT_EQ(data.size, 200);
  const auto batch = data.get(all_of(data), RandomKey(0, "test"));
  EXPECT_EQ(batch.x.sizes(), (at::IntArrayRef{200, 1, 56, 56}));
  EXPECT_TRUE(at::equal(batch.y, at::arange(100).repeat_interleave(2)));
  // Class 37: one of the threes on the left, one of the sevens on the right, in rows 14 to 41.
  const auto canvas = batch.x[74][0].to(at::kDouble) * kDdmnistDeviation + kDdmnistMean;
  const auto holds = [&](std::int64_t left, std::int64_t digit) {
    const auto shown = canvas.narrow(0, 14, 28).narrow(1, left, 28);
    for (const auto image : digits.with[static_cast<std::size_t>(digit)]) {
      if (at::allclose(shown, digits.images[image].to(at::kDouble) / 255.0, 0, 1e-5)) return true;
    }
    return false;
  };
  EXPECT_TRUE(holds(0, 3));
  EXPECT_TRUE(holds(28, 7));
  EXPECT_FALSE(holds(0, 7));
}

TEST(Ddmnist, NormalisesAfterComposing) {
  const auto data = make_ddmnist(test_digits(), make_group("D4"), RandomKey(0, "pairs"), {1});
  const auto batch = data.get(all_of(data), RandomKey(0, "train"));
  for (const auto& x : {batch.x, batch.gx}) {
    const auto outside = at::cat({x.narrow(2, 0, 14), x.narrow(2, 42, 14)}, 2);
    EXPECT_NEAR(outside.min().item<double>(), kBlack, 1e-6);
    EXPECT_NEAR(outside.max().item<double>(), kBlack, 1e-6);
    EXPECT_NEAR(x.min().item<double>(), kBlack, 1e-6);
    EXPECT_LE(x.max().item<double>(), (1.0 - kDdmnistMean) / kDdmnistDeviation + 1e-5);
  }
  EXPECT_NEAR(kBlack, -0.1177, 1e-4);
}

// gx must be the group's own action on x, up to resampling; a wrong order or swapped digits miss
// it.
void expect_pairs_follow_the_action(const char* name, double tolerance, TurnMode turn) {
  const auto product = make_group(std::string(name) + "x" + name);
  DdmnistOptions options;
  options.images_per_class = 1;
  options.turn = turn;
  const auto data = make_ddmnist(test_digits(), make_group(name), RandomKey(1, "pairs"), options);
  const auto batch = data.get(all_of(data), RandomKey(1, "train"));
  const auto action =
      canvas_action(product, planar_parts(product), {{14, 0, 28, 28}, {14, 28, 28, 28}});
  const auto gap = (action(batch.g, batch.x) - batch.gx).abs().flatten(1).amax(1);
  EXPECT_LE(gap.max().item<double>(), tolerance) << name;
  const auto order = static_cast<std::int64_t>(make_group(name).order());
  const auto swapped = batch.g.remainder(order) * order + batch.g.div(order, "floor");
  EXPECT_GT((action(swapped, batch.x) - batch.gx).abs().max().item<double>(), 0.5) << name;
  EXPECT_TRUE(at::equal(batch.y, batch.gy));
  EXPECT_LT(batch.g.max().item<std::int64_t>(), order * order);
  EXPECT_GT(at::eq(batch.g.div(order, "floor"), 0).sum().item<std::int64_t>(), 0);
}

TEST(Ddmnist, PairsFollowTheAction) {
  expect_pairs_follow_the_action("D1", 0.0, TurnMode::there_and_back);
  expect_pairs_follow_the_action("C4", 0.2, TurnMode::there_and_back);
  expect_pairs_follow_the_action("D4", 0.2, TurnMode::there_and_back);
  expect_pairs_follow_the_action("D4", 0.0, TurnMode::direct);
}

TEST(Ddmnist, TurningLeavesArtefactsAndTheFlipNone) {
  // A sharp image: resampling shows.
  auto sharp = test_digits(1);
  sharp.images = at::where(sharp.images.gt(120), at::full_like(sharp.images, 255),
                           at::zeros_like(sharp.images));
  const auto values = [&](const char* name) {
    const auto data = make_ddmnist(sharp, make_group(name), RandomKey(0, "pairs"), {1});
    const auto x =
        data.get(all_of(data), RandomKey(0, "train")).x * kDdmnistDeviation + kDdmnistMean;
    return at::logical_and(x.gt(0.01), x.lt(0.99)).sum().item<std::int64_t>();
  };
  EXPECT_EQ(values("D1"), 0);
  EXPECT_GT(values("C4"), 1000);
}

TEST(Ddmnist, DepartureTwoTurnsToArbitraryAngles) {
  const auto product = make_group("C4xC4");
  DdmnistOptions options;
  options.images_per_class = 1;
  options.turn = TurnMode::there_only;
  const auto data = make_ddmnist(test_digits(), make_group("C4"), RandomKey(1, "pairs"), options);
  const auto batch = data.get(all_of(data), RandomKey(1, "train"));
  const auto action =
      canvas_action(product, planar_parts(product), {{14, 0, 28, 28}, {14, 28, 28, 28}});
  EXPECT_GT((action(batch.g, batch.x) - batch.gx).abs().max().item<double>(), 0.5);
}

TEST(Ddmnist, RandomNumbersBelongToSampleAndEpoch) {
  const auto data = make_ddmnist(test_digits(), make_group("D4"), RandomKey(2, "pairs"), {1});
  const RandomKey key(2, "train");
  const auto whole = data.get(all_of(data), key.at(1));
  const auto some = at::tensor({42, 7, 99}, at::kLong);
  const auto part = data.get(some, key.at(1));
  EXPECT_TRUE(at::equal(part.x, whole.x.index_select(0, some)));
  EXPECT_TRUE(at::equal(part.gx, whole.gx.index_select(0, some)));
  EXPECT_TRUE(at::equal(part.g, whole.g.index_select(0, some)));
  EXPECT_FALSE(at::equal(data.get(some, key.at(2)).x, part.x));
  // Without pairs x is the same, and the pairs of digits follow their own key.
  DdmnistOptions unpaired{1};
  unpaired.paired = false;
  const auto single =
      make_ddmnist(test_digits(), make_group("D4"), RandomKey(2, "pairs"), unpaired);
  const auto batch = single.get(some, key.at(1));
  EXPECT_TRUE(at::equal(batch.x, part.x));
  EXPECT_FALSE(batch.paired());
  const auto other = make_ddmnist(test_digits(), make_group("D4"), RandomKey(3, "pairs"), {1});
  EXPECT_FALSE(at::equal(other.get(all_of(other), key.at(1)).x, whole.x));
}

TEST(Ddmnist, PlainViewIsUntouchedWhereThePaperSaysSo) {
  DdmnistOptions options{1};
  options.view = DdmnistView::plain;
  const auto raw = make_ddmnist(test_digits(), make_group("D1"), RandomKey(0, "pairs"), options);
  const auto c4 = make_ddmnist(test_digits(), make_group("C4"), RandomKey(0, "pairs"), options);
  const auto d4 = make_ddmnist(test_digits(), make_group("D4"), RandomKey(0, "pairs"), options);
  const RandomKey key(0, "test");
  const auto x = raw.get(all_of(raw), key).x;
  EXPECT_TRUE(at::equal(c4.get(all_of(c4), key).x, x));
  // The augmented view moves x itself, with elements of its own, not only g·x.
  const auto moved = make_ddmnist(test_digits(), make_group("D1"), RandomKey(0, "pairs"), {1});
  const auto batch = moved.get(all_of(moved), key);
  const auto changed = batch.x.ne(x).flatten(1).any(1);
  EXPECT_GT(changed.sum().item<std::int64_t>(), 50);
  EXPECT_LT(changed.sum().item<std::int64_t>(), 100);
  EXPECT_FALSE(at::equal(changed, batch.g.ne(0)));
  const auto turned = d4.get(all_of(d4), key).x;
  EXPECT_FALSE(at::equal(turned, x));
  EXPECT_LT((turned - x).abs().max().item<double>(), 0.2);
}

TEST(Ddmnist, KernelsAgreeWithTheirPlainTwin) {
  for (const auto* name : {"D1", "C2", "C4", "D4"}) {
    for (const auto turn : {TurnMode::there_and_back, TurnMode::direct}) {
      for (const auto view : {DdmnistView::augmented, DdmnistView::plain}) {
        const DdmnistOptions options{1, view, turn, true};
        const auto batch_by = [&](Kernels choice) {
          const KernelsForNow scope(choice);
          const auto data =
              make_ddmnist(test_digits(), make_group(name), RandomKey(4, "pairs"), options);
          return data.get(all_of(data), RandomKey(4, "train"));
        };
        const auto native = batch_by(Kernels::automatic);
        const auto plain = batch_by(Kernels::torch);
        EXPECT_TRUE(at::allclose(native.x, plain.x, 0, 1e-4)) << name;
        EXPECT_TRUE(at::allclose(native.gx, plain.gx, 0, 1e-4)) << name;
        EXPECT_TRUE(at::equal(native.g, plain.g)) << name;
      }
    }
  }
}

TEST(Ddmnist, SplitsHaveThePapersSizesAndSources) {
  const auto train = test_digits(3);
  auto test = test_digits(2);
  test.images = test.images.div(2, "floor");  // dimmer, so that the source shows
  const auto splits = make_ddmnist_splits(train, test, make_group("D1"), 0, false);
  EXPECT_EQ(splits.train.size, 10000);
  EXPECT_EQ(splits.validation.size, 2000);
  EXPECT_EQ(splits.test.size, 5000);
  EXPECT_EQ(splits.augmented_test.size, 5000);
  const auto brightest = [](const Dataset& data) {
    return data.get(at::arange(0, data.size, 10, at::kLong), RandomKey(0, "x"))
        .x.max()
        .item<double>();
  };
  const double half = (0.5 - kDdmnistMean) / kDdmnistDeviation;
  EXPECT_GT(brightest(splits.train), half);
  EXPECT_LE(brightest(splits.validation), half);
  EXPECT_LE(brightest(splits.test), half);
  EXPECT_LE(brightest(splits.augmented_test), half);
  const auto some = at::arange(100, at::kLong);
  for (const Dataset* data : {&splits.train, &splits.validation, &splits.augmented_test}) {
    const auto labels = data->get(all_of(*data), RandomKey(0)).y;
    EXPECT_TRUE(at::bincount(labels).eq(data->size / 100).all().item<bool>());  // balanced
    // Also without partners, as the row cnn has it, x is augmented, anew in every epoch.
    const RandomKey key(0, "epochs");
    EXPECT_FALSE(at::equal(data->get(some, key.at(1)).x, data->get(some, key.at(2)).x));
  }
  EXPECT_TRUE(at::equal(splits.test.get(some, RandomKey(0).at(1)).x,
                        splits.test.get(some, RandomKey(0).at(2)).x));
  EXPECT_FALSE(splits.train.get(some, RandomKey(0)).paired());
  EXPECT_FALSE(splits.validation.get(some, RandomKey(0)).paired());
  // Partners change nothing in x: rows with and without a prior choose by the same images.
  const auto paired = make_ddmnist_splits(train, test, make_group("D1"), 0, true);
  const auto pairs = paired.validation.get(some, RandomKey(0));
  EXPECT_TRUE(pairs.paired());
  EXPECT_TRUE(at::equal(pairs.x, splits.validation.get(some, RandomKey(0)).x));
  EXPECT_TRUE(splits.augmented_test.get(some, RandomKey(0)).paired());
}

TEST(Ddmnist, RefusesGroupsThatAreNotPlanar) {
  EXPECT_THROW(make_ddmnist(test_digits(), make_group("S4"), RandomKey(0)), InputError);
  EXPECT_THROW(make_ddmnist(test_digits(), make_group("C4"), RandomKey(0), {0}), InputError);
}

TEST(Digits, AreReadFromIdxFilesAndChecked) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto digits = test_digits(2);
  io::write_idx(folder / "images.idx", to_array(digits.images));
  io::write_idx(folder / "labels.idx", to_array(digits.labels.to(at::kByte)));
  const auto read = read_digits(folder / "images.idx", folder / "labels.idx");
  EXPECT_TRUE(at::equal(read.images, digits.images));
  EXPECT_TRUE(at::equal(read.labels, digits.labels));
  EXPECT_EQ(read.with[3].size(), 2U);
  try {
    read_digits(folder / "labels.idx", folder / "images.idx");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("labels.idx"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("images file and the labels file"), std::string::npos);
  }
  io::write_idx(folder / "short.idx", to_array(at::zeros({5}, at::kByte)));
  EXPECT_THROW(read_digits(folder / "images.idx", folder / "short.idx"), FileError);
  EXPECT_THROW(read_digits(folder / "absent.idx", folder / "labels.idx"), FileError);
  EXPECT_THROW(make_digits(digits.images, at::full({20}, 10, at::kLong)), InputError);
  EXPECT_THROW(make_digits(digits.images, at::zeros({20}, at::kLong)), InputError);
}

}  // namespace
}  // namespace algprior
