#include "algprior/data/ddmnist.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/kernel/detail/augment.hpp"
#include "algprior/kernel/kernels.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

constexpr std::int64_t kClasses = 100;

struct Source {
  at::Tensor images;  // uint8, M×S×S
  at::Tensor pairs;   // int64, N×2: image numbers of the left and the right digit
  at::Tensor labels;  // int64, N
  PlanarTransform transform;
  PlanarTransform plain;  // what the plain view does to a digit; empty for nothing
  std::int64_t order = 1;
  DdmnistOptions options;
  // The SIMD path serves groups of quarter turns: each element as a motion, and the plain view's.
  std::vector<ImageMotion> motions;
  ImageMotion plain_motion;
  bool native = false;
};

// One (element, angle) for each digit of each sample; digits stand left, right, left, right, …
struct Draw {
  at::Tensor g;      // int64, 2N
  at::Tensor theta;  // float64, 2N
};

Draw empty_draw(std::int64_t samples) {
  return {at::empty({2 * samples}, at::kLong), at::empty({2 * samples}, at::kDouble)};
}

void draw_sample(RandomStream& random, const Draw& draw, std::int64_t sample, std::int64_t order) {
  for (std::int64_t digit = 2 * sample; digit < 2 * sample + 2; ++digit) {
    draw.g.data_ptr<std::int64_t>()[digit] =
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(order)));
    draw.theta.data_ptr<double>()[digit] = 360.0 * random.uniform() - 180.0;
  }
}

at::Tensor compose_canvas(const at::Tensor& digits, std::int64_t samples) {
  const auto side = digits.size(-1);
  const auto canvas = at::zeros({samples, 1, 2 * side, 2 * side}, at::kFloat);
  const auto top = side / 2;
  const auto both = digits.reshape({samples, 2, side, side});
  canvas.select(1, 0).narrow(1, top, side).narrow(2, 0, side).copy_(both.select(1, 0));
  canvas.select(1, 0).narrow(1, top, side).narrow(2, side, side).copy_(both.select(1, 1));
  return canvas.sub_(kDdmnistMean).div_(kDdmnistDeviation);
}

std::vector<ImageMotion> to_motions(const Source& source, const Draw& draw) {
  const auto* g = draw.g.data_ptr<std::int64_t>();
  const auto* theta = draw.theta.data_ptr<double>();
  std::vector<ImageMotion> motions(static_cast<std::size_t>(draw.g.numel()));
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i] = source.motions[static_cast<std::size_t>(g[i])];
    motions[i].angle = static_cast<float>(theta[i]);
  }
  return motions;
}

void compose_native(const Source& source, const at::Tensor& chosen, const Draw& first,
                    const Draw& second, Batch& batch) {
  const auto side = source.images.size(1);
  const auto samples = chosen.numel() / 2;
  auto before = to_motions(source, first);
  if (source.options.view == DdmnistView::plain) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const auto shared = before[i - i % 2].angle;
      before[i] = source.plain_motion;
      before[i].angle = shared;
    }
  }
  const auto after = to_motions(source, second);
  batch.x = at::empty({samples, 1, 2 * side, 2 * side}, at::kFloat);
  if (source.options.paired) batch.gx = at::empty_like(batch.x);
  const PairCanvas canvas{static_cast<int>(side), static_cast<float>(kDdmnistMean),
                          static_cast<float>(kDdmnistDeviation)};
  compose_pairs(canvas, source.images.data_ptr<std::uint8_t>(), source.images.size(0),
                chosen.data_ptr<std::int64_t>(), samples, before.data(),
                source.options.paired ? after.data() : nullptr, batch.x.data_ptr<float>(),
                source.options.paired ? batch.gx.data_ptr<float>() : nullptr);
}

void compose_torch(const Source& source, const at::Tensor& chosen, const Draw& first,
                   const Draw& second, Batch& batch) {
  const auto samples = chosen.numel() / 2;
  auto digits = source.images.index_select(0, chosen).unsqueeze(1).to(at::kFloat).div_(255.0);
  if (source.options.view == DdmnistView::augmented) {
    digits = source.transform(first.g, first.theta, digits);
  } else if (source.plain) {
    const auto shared = first.theta.reshape({-1, 2}).select(1, 0).repeat_interleave(2);
    digits = source.plain(at::zeros_like(first.g), shared, digits);
  }
  batch.x = compose_canvas(digits, samples);
  if (!source.options.paired) return;
  batch.gx = compose_canvas(source.transform(second.g, second.theta, digits), samples);
}

Batch get_batch(const Source& source, const at::Tensor& indices, const RandomKey& key) {
  const auto samples = indices.size(0);
  const auto numbers = indices.contiguous();
  const auto first = empty_draw(samples);
  const auto second = empty_draw(samples);
  for (std::int64_t i = 0; i < samples; ++i) {
    RandomStream random(
        key.sample(static_cast<std::uint64_t>(numbers.data_ptr<std::int64_t>()[i])));
    draw_sample(random, first, i, source.order);
    draw_sample(random, second, i, source.order);
  }
  const auto chosen = source.pairs.index_select(0, indices).reshape({-1});
  Batch batch;
  (source.native ? compose_native : compose_torch)(source, chosen, first, second, batch);
  batch.y = source.labels.index_select(0, indices);
  if (!source.options.paired) return batch;
  batch.gy = batch.y;
  const auto g = second.g.reshape({-1, 2});
  batch.g = g.select(1, 0) * source.order + g.select(1, 1);
  return batch;
}

// A turn by another angle, or the departure that does not turn back, has no motion.
void prepare_native(const PlanarElements& elements, Source& source) {
  if (source.options.turn == TurnMode::there_only || kernels() == Kernels::torch) return;
  const bool resample = elements.has_turns && source.options.turn == TurnMode::there_and_back;
  for (std::int64_t g = 0; g < source.order; ++g) {
    const double quarters = elements.degrees.data_ptr<double>()[g] / 90.0;
    if (std::abs(quarters - std::round(quarters)) > 1e-9) return;
    ImageMotion motion;
    motion.turns = (static_cast<int>(std::lround(quarters)) + 4) % 4;
    motion.flip = elements.flip.data_ptr<bool>()[g];
    motion.resample = resample;
    source.motions.push_back(motion);
  }
  source.plain_motion.resample = static_cast<bool>(source.plain);
  source.native = true;
}

void draw_pairs(const Digits& digits, const RandomKey& key, std::int64_t per_class,
                Source& source) {
  source.pairs = at::empty({kClasses * per_class, 2}, at::kLong);
  source.labels = at::arange(kClasses, at::kLong).repeat_interleave(per_class);
  auto* out = source.pairs.data_ptr<std::int64_t>();
  for (std::int64_t sample = 0; sample < kClasses * per_class; ++sample) {
    RandomStream random(key.sample(static_cast<std::uint64_t>(sample)));
    const auto label = sample / per_class;
    for (const auto digit : {label / 10, label % 10}) {
      const auto& candidates = digits.with[static_cast<std::size_t>(digit)];
      *out++ = candidates[random.below(candidates.size())];
    }
  }
}

}  // namespace

Dataset make_ddmnist(const Digits& digits, const Group& digit_group, const RandomKey& pairs,
                     const DdmnistOptions& options) {
  if (options.images_per_class < 1) {
    throw InputError({"double-digit data is empty", fmt::format("{}", options.images_per_class),
                      "at least 1 image a class", ""});
  }
  check_memory(24.0 * static_cast<double>(kClasses) * static_cast<double>(options.images_per_class),
               "double-digit data", fmt::format("{} images a class", options.images_per_class));
  const auto elements = planar_elements(digit_group);
  const auto source = std::make_shared<Source>();
  source->images = digits.images;
  source->transform = make_planar_transform(digit_group, options.turn);
  source->order = static_cast<std::int64_t>(digit_group.order());
  source->options = options;
  if (elements.has_turns && elements.has_flips && options.turn != TurnMode::direct) {
    source->plain = make_planar_transform(digit_group, TurnMode::there_and_back);
  }
  prepare_native(elements, *source);
  draw_pairs(digits, pairs, options.images_per_class, *source);
  return make_dataset("double-digit MNIST under " + digit_group.name(), source->labels.size(0),
                      [source](const at::Tensor& indices, const RandomKey& key) {
                        return get_batch(*source, indices, key);
                      });
}

DdmnistSplits make_ddmnist_splits(const Digits& train, const Digits& test, const Group& digit_group,
                                  std::uint64_t seed, bool paired, TurnMode turn,
                                  const DdmnistSizes& sizes) {
  const auto split = [&](const Digits& digits, const char* name, std::int64_t per_class,
                         DdmnistView view, bool with_partners) {
    const DdmnistOptions options{per_class, view, turn, with_partners};
    return make_ddmnist(digits, digit_group, RandomKey(seed, "ddmnist pairs").purpose(name),
                        options);
  };
  return {split(train, "train", sizes.train, DdmnistView::augmented, paired),
          split(test, "validation", sizes.validation, DdmnistView::augmented, paired),
          split(test, "test", sizes.test, DdmnistView::plain, false),
          split(test, "augmented test", sizes.test, DdmnistView::augmented, true)};
}

}  // namespace algprior
