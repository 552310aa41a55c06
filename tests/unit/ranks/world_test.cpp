#include "algprior/ranks/gradient_sum.hpp"
#include "forked_ranks.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(World, SumsGathersAndSharesTheSameOnEveryRank) {
  const auto texts = run_ranks(3, [](World& world) {
    const auto numbers = at::full({4}, world.rank() + 0.5);
    world.sum(numbers);
    const auto rows = at::full({world.rank() + 1, 2}, world.rank(), at::kLong);
    const auto all = world.gather_rows(rows);
    std::string text = world.share(world.leads() ? std::string("a\0b", 3) : "not this");
    text += world.share("");
    text += fmt::format(" {}", numbers.sum().item<double>());
    for (std::int64_t i = 0; i < all.size(0); ++i) {
      text += fmt::format(" {}", all[i][1].item<std::int64_t>());
    }
    std::int64_t covered = 0;
    double weight = 0;
    for (const std::int64_t batch : {7, 6, 5}) {  // 5 is less than two a rank: all have it whole
      const Share share = share_of(batch, world);
      const auto sums = at::tensor({static_cast<double>(share.count), share.weight}, at::kDouble);
      world.sum(sums);
      covered = covered * 100 + static_cast<std::int64_t>(sums[0].item<double>());
      weight += sums[1].item<double>();
    }
    return text + fmt::format(" {} {:.12f}", covered, weight);
  });
  const std::string expected = std::string("a\0b", 3) + " 18 0 1 1 2 2 2 70615 3.000000000000";
  for (const std::string& text : texts) EXPECT_EQ(text, expected);
}

TEST(World, SaysWhichRankDiffersAndHow) {
  const auto texts = run_ranks(2, [](World& world) {
    world.agree("the weather", "sun\n");
    world.agree("the configuration", fmt::format("epochs = 3\nseed = {}\n", world.leads() ? 1 : 2));
    return std::string("agreed");
  });
  for (const std::string& text : texts) {
    EXPECT_TRUE(has(text, "the configuration differs between the ranks")) << text;
    EXPECT_TRUE(has(text, "seed = 1") && has(text, "seed = 2")) << text;
    EXPECT_FALSE(has(text, "epochs")) << text;
  }
}

TEST(World, AKilledRankEndsAllAndIsNamed) {
  const auto texts = run_ranks(3, [](World& world) {
    const auto numbers = at::ones({1000});
    for (int i = 0; i < 100; ++i) {
      if (world.rank() == 2 && i == 50) std::raise(SIGKILL);
      world.sum(numbers);
    }
    return std::string("done");
  });
  EXPECT_EQ(texts[2], "killed");
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_TRUE(has(texts[rank], "rank 2 on ")) << texts[rank];
    EXPECT_TRUE(has(texts[rank], "no longer answers")) << texts[rank];
    EXPECT_TRUE(has(texts[rank], "--resume")) << texts[rank];
  }
}

TEST(World, AFailureIsToldToTheOthers) {
  for (const int failing : {0, 1}) {
    const auto texts = run_ranks(2, [failing](World& world) {
      if (world.rank() == failing) throw FileError({"no space left on device", "", "", ""});
      world.sum(at::ones({1}));
      return std::string("done");
    });
    EXPECT_TRUE(has(texts[1 - failing], fmt::format("rank {} on ", failing))) << texts[1 - failing];
    EXPECT_TRUE(has(texts[1 - failing], "no space left on device")) << texts[1 - failing];
  }
}

// In a process of its own, for the threads that it leaves behind.
std::string joining(const RankPlace& place) {
  return run_ranks(1, [&](World&) {
    const World world(place);
    return std::string("joined");
  })[0];
}

TEST(World, SaysWhoIsMissingWithinTheTimeout) {
  const std::string text = joining({.rank = 0, .size = 3, .port = unused_port(), .timeout = 1.0});
  EXPECT_TRUE(has(text, "missing: 2 of 3 ranks (1, 2)")) << text;
  const std::string alone = joining({.rank = 1, .size = 2, .port = unused_port(), .timeout = 1.0});
  EXPECT_TRUE(has(alone, "rank 1 cannot reach rank 0: 127.0.0.1:")) << alone;
}

TEST(World, SaysThatAPortIsInUse) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(descriptor, 1), 0);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  const int port = ntohs(address.sin_port);
  const std::string text = joining({.rank = 0, .size = 2, .port = port, .timeout = 2.0});
  EXPECT_TRUE(has(text, fmt::format("127.0.0.1:{}", port))) << text;
  EXPECT_TRUE(has(text, "MASTER_PORT")) << text;
  // Somebody else answers there, or rather does not.
  const std::string other = joining({.rank = 1, .size = 2, .port = port, .timeout = 1.0});
  EXPECT_TRUE(has(other, "rank 1 ")) << other;
  close(descriptor);
}

TEST(GradientSum, SumsEveryBucketAndLeavesUnusedParametersAlone) {
  const auto texts = run_ranks(2, [](World& world) {
    std::vector<at::Tensor> parameters;
    for (int i = 0; i < 5; ++i) {
      parameters.push_back(at::full({3}, i + 1.0, at::kFloat).requires_grad_());
    }
    GradientSum gradients(world, parameters, 2 * 3 * sizeof(float));
    std::string text = fmt::format("{}:", gradients.buckets());
    for (int step = 0; step < 2; ++step) {  // hooks fire in every pass
      for (auto& parameter : parameters) parameter.mutable_grad().reset();
      gradients.begin();
      // The third takes no part.
      const auto loss =
          (parameters[0] * parameters[1]).sum() + parameters[3].sum() + parameters[4].sum();
      (loss * (world.rank() + 1.0)).backward();
      gradients.finish();
    }
    for (const auto& parameter : parameters) {
      text += parameter.grad().defined() ? fmt::format(" {}", parameter.grad()[2].item<double>())
                                         : " none";
    }
    return text;
  });
  for (const std::string& text : texts) EXPECT_EQ(text, "3: 6 3 none 3 3");
}

}  // namespace
}  // namespace algprior
