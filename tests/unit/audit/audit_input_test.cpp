// Pairs, candidates, files: the other ways into the audit.
#include "algprior/audit/audit_file.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "planted.hpp"

#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

AuditOptions few_resamplings() {
  AuditOptions options;
  options.bootstrap = 100;
  options.theorem_samples = 5;
  return options;
}

/// One pair for each sample of planted orbits, elements in turn.
struct PlantedPairs {
  std::vector<double> z, zg;
  std::vector<std::int64_t> g;
  std::size_t dimension;

  PlantedPairs(Planted orbits, double noise_at_identity = 0) : dimension(orbits.dimension) {
    RandomStream random(RandomKey(1, "pairs"));
    for (std::size_t n = 0; n < orbits.samples; ++n) {
      const std::size_t element = n % orbits.order;
      g.push_back(static_cast<std::int64_t>(element));
      for (std::size_t k = 0; k < dimension; ++k) {
        z.push_back(orbits.at(n, 0, k));
        zg.push_back(orbits.at(n, element, k) +
                     (element == 0 ? noise_at_identity * random.normal() : 0));
      }
    }
  }
  PairEmbeddings view() const {
    return {std::span<const double>(z), std::span<const double>(zg), g, g.size(), dimension};
  }
};

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AuditPairs, ErrorsAndMultiplicities) {
  const Group group = make_group("D3");
  const Planted orbits =
      plant(regular_representation(group), Eigen::MatrixXd::Identity(6, 6), 600, 0.1, 3);
  const PlantedPairs pairs(orbits);
  const AuditReport report = audit(pairs.view(), group, few_resamplings());
  EXPECT_TRUE(report.pairs);
  EXPECT_EQ(report.verdict, Verdict::kGiven);
  EXPECT_NEAR(report.errors.regular->value, 0.1 / std::sqrt(1.01), 0.01);
  EXPECT_EQ(report.fitted.regular_copies, 1u);
  EXPECT_FALSE(report.theorem);
  EXPECT_FALSE(report.probes);
}

TEST(AuditPairs, AnEncoderThatRollsDiceIsFoundOut) {
  const Group group = make_group("C4");
  const Planted orbits =
      plant(regular_representation(group), Eigen::MatrixXd::Identity(4, 4), 200, 0, 3);
  const auto count_remarks = [&](double noise) {
    const AuditReport report = audit(PlantedPairs(orbits, noise).view(), group, few_resamplings());
    return std::count_if(report.remarks.begin(), report.remarks.end(), [](const std::string& text) {
      return text.find("two calls") != std::string::npos;
    });
  };
  EXPECT_EQ(count_remarks(0), 0);
  EXPECT_EQ(count_remarks(0.2), 1);
}

TEST(AuditPairs, FewPairsAnElementAndElementsOutOfRange) {
  const Group group = make_group("D4");
  const Planted orbits =
      plant(regular_representation(group), Eigen::MatrixXd::Identity(8, 8), 60, 0, 3);
  PlantedPairs pairs(orbits);
  const AuditReport report = audit(pairs.view(), group, few_resamplings());
  EXPECT_FALSE(report.errors.fitted);
  EXPECT_NE(report.fitted.reason.find("pairs an element"), std::string::npos);
  EXPECT_LT(report.errors.regular->value, 1e-12);
  pairs.g[5] = 8;
  const std::string text = refusal([&] { audit(pairs.view(), group, few_resamplings()); });
  EXPECT_NE(text.find("g[5] = 8"), std::string::npos) << text;
  EXPECT_NE(text.find("0 to 7"), std::string::npos) << text;
}

TEST(AuditCandidates, TheSubgroupThatHoldsIsFirst) {
  // Equivariant under the rotations of D4, reflections are noise.
  const Group group = make_group("D4"), rotations = make_group("C4");
  const Planted half = plant(copies(regular_representation(rotations), 2),
                             Eigen::MatrixXd::Identity(8, 8), 200, 0.02, 3);
  const Planted other = plant(copies(regular_representation(rotations), 2),
                              Eigen::MatrixXd::Identity(8, 8), 200, 0.02, 4);
  Planted data = plant_noise(200, 8, 8, 5);
  // Right cosets of the rotations: {r^i} and {r^i s}; each is an orbit of C4.
  const Element r = group.generators()[0], s = group.generators()[1];
  for (std::size_t n = 0; n < 200; ++n) {
    Element power = 0;
    for (std::size_t i = 0; i < 4; ++i, power = group.multiply(r, power)) {
      for (std::size_t k = 0; k < 8; ++k) {
        data.at(n, power, k) = half.z[(n * 4 + i) * 8 + k];
        data.at(n, group.multiply(power, s), k) = other.z[(n * 4 + i) * 8 + k];
      }
    }
  }
  const auto ranked = audit_candidates(
      data.orbits(), group, {make_group("C2"), make_group("D4"), rotations, make_group("C3")},
      few_resamplings());
  // C2 lies in D4 in three ways; C3 does not.
  ASSERT_EQ(ranked.size(), 6u);
  EXPECT_EQ(ranked[0].name, "C4");
  EXPECT_EQ(ranked[0].verdict, Verdict::kSome);
  EXPECT_EQ(ranked[1].name, "C2");
  EXPECT_EQ(ranked[1].generators, "r^2");
  EXPECT_EQ(ranked[1].verdict, Verdict::kSome);
  EXPECT_EQ(ranked[2].verdict, Verdict::kNone);
  EXPECT_EQ(ranked[5].name, "C3");
  EXPECT_FALSE(ranked[5].found);
  EXPECT_FALSE(ranked[5].errors.fitted);
}

TEST(AuditFileTest, NpzAndSafetensorsGiveTheSameReport) {
  namespace fs = std::filesystem;
  const Group group = make_group("C4");
  const Planted data = plant_noise(30, 4, 5, 8);
  io::NamedArrays arrays;
  arrays["z"] = io::make_array({30, 4, 5}, data.z);
  std::vector<std::int64_t> labels;
  for (int n = 0; n < 30; ++n) labels.push_back(n % 3);
  arrays["labels"] = io::make_array({30}, labels);
  // Inputs of two numbers that g = 1 leaves alone.
  std::vector<float> inputs;
  for (int n = 0; n < 30; ++n) {
    for (const float g : {0.0f, 0.0f, 2.0f, 3.0f}) inputs.insert(inputs.end(), {1, g});
  }
  arrays["inputs"] = io::make_array({30, 4, 2}, inputs);
  const fs::path folder = fs::temp_directory_path() / "algprior_audit_file_test";
  fs::create_directories(folder);
  io::write_npz(folder / "a.npz", arrays);
  io::write_safetensors(folder / "a.safetensors", {arrays, {}});
  const AuditReport a = AuditFile::read(folder / "a.npz").audit(group, few_resamplings());
  const AuditReport b = AuditFile::read(folder / "a.safetensors").audit(group, few_resamplings());
  EXPECT_EQ(to_json(a), to_json(b));
  const auto json = nlohmann::json::parse(to_json(a));
  EXPECT_EQ(json["room"]["classes"], 3);
  EXPECT_EQ(json["per_class"].size(), 3u);
  EXPECT_EQ(json["per_element"].size(), 3u);
  EXPECT_NEAR(json["inputs"]["unmoved"].get<double>(), 1.0 / 3, 1e-12);
  for (const char* key : {"group", "order", "samples", "dimension", "effective_rank", "verdict",
                          "errors", "fitted", "theorem1", "probes", "room", "worst", "groups"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json["errors"]["given"].is_null());
  fs::remove_all(folder);
}

TEST(AuditFileTest, WhatDoesNotFitIsNamed) {
  const std::vector<double> values(24, 1.0);
  const auto message = [](io::NamedArrays arrays) {
    return refusal([&] { AuditFile::from_arrays(std::move(arrays), "my.npz"); });
  };
  EXPECT_NE(message({{"y", io::make_array({24}, values)}}).find("no array z"), std::string::npos);
  const std::string grid = message({{"z", io::make_array({2, 3, 2, 2}, values)}});
  EXPECT_NE(grid.find("my.npz"), std::string::npos) << grid;
  EXPECT_NE(grid.find("flatten"), std::string::npos) << grid;
  const std::string flat = message({{"z", io::make_array({12, 2}, values)}});
  EXPECT_NE(flat.find("zg and g"), std::string::npos) << flat;
  const io::Array pairs = io::make_array({12, 2}, values);
  const std::string halves = message(
      {{"z", pairs}, {"zg", pairs}, {"g", io::make_array({12}, std::vector<double>(12, 0.5))}});
  EXPECT_NE(halves.find("not whole"), std::string::npos) << halves;
  const std::string wrong = message({{"z", io::make_array({2, 3, 4}, values)},
                                     {"labels", io::make_array({3}, std::vector<int>(3, 1))}});
  EXPECT_NE(wrong.find("array labels"), std::string::npos) << wrong;
  EXPECT_NE(refusal([] { AuditFile::read("embeddings.txt"); }).find(".npz"), std::string::npos);
}

TEST(AuditFileTest, HalfPrecisionIsRead) {
  io::NamedArrays arrays;
  io::Array half{io::Dtype::float16, {4, 2, 1}, io::Bytes(16)};
  for (std::size_t i = 0; i < 8; ++i) {
    half.bytes[2 * i + 1] = std::byte(0x3c + (i % 3));  // 1, 1.25…: any finite patterns
  }
  arrays["z"] = half;
  const AuditFile file = AuditFile::from_arrays(std::move(arrays), "half.npz");
  EXPECT_EQ(file.samples(), 4u);
  EXPECT_EQ(file.order(), 2u);
  EXPECT_EQ(file.dimension(), 1u);
  EXPECT_NO_THROW(file.audit(make_group("C2"), few_resamplings()));
}

}  // namespace
}  // namespace algprior
