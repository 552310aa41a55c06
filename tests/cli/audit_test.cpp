// `algprior audit` as a person runs it.
#include "algprior/base/random.hpp"
#include "algprior/io/npy.hpp"
#include "run_program.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

/// A file with orbits of the regular representation of C4 on two copies, with noise.
class AuditCommand : public testing::Test {
 protected:
  AuditCommand()
      : folder_(fs::temp_directory_path() / ("algprior_audit_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    RandomStream random(RandomKey(1, "audit command"));
    std::vector<float> z;
    for (int n = 0; n < 100; ++n) {
      float v[8];
      for (float& value : v) value = static_cast<float>(random.normal());
      for (int g = 0; g < 4; ++g) {
        for (int k = 0; k < 8; ++k) {
          z.push_back(v[k / 4 * 4 + (k + 4 - g) % 4] + 0.05f * static_cast<float>(random.normal()));
        }
      }
    }
    arrays_["z"] = io::make_array({100, 4, 8}, z);
    io::write_npz(folder_ / "z.npz", arrays_);
  }
  ~AuditCommand() override { fs::remove_all(folder_); }

  std::string file(const std::string& name = "z.npz") const { return (folder_ / name).string(); }

  fs::path folder_;
  io::NamedArrays arrays_;
};

TEST_F(AuditCommand, OneScreenAndOneDocument) {
  const Outcome text = run_algprior({"audit", file(), "--group", "C4"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "Equivariant under C4 to the regular representation")) << text.out;
  EXPECT_TRUE(contains(text.out, "0 exact, 1 chance")) << text.out;
  EXPECT_TRUE(contains(text.out, "95 % interval")) << text.out;
  const Outcome outcome = run_algprior({"audit", file(), "--group", "C4", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["verdict"], "equivariant to the given representation");
  EXPECT_EQ(json["fitted"]["regular_copies"], 2);
  EXPECT_NEAR(json["errors"]["regular"]["value"].get<double>(), 0.05, 0.01);
  EXPECT_EQ(json["samples"], 100);
}

TEST_F(AuditCommand, ExitCodeByThreshold) {
  EXPECT_EQ(run_algprior({"audit", file(), "--group", "C4", "--fail-above", "0.1"}).code, 0);
  const Outcome fails = run_algprior({"audit", file(), "--group", "C4", "--fail-above", "0.01"});
  EXPECT_EQ(fails.code, 1);
  EXPECT_TRUE(contains(fails.err, "is above 0.01")) << fails.err;
  EXPECT_EQ(run_algprior({"audit", file(), "--group", "C4", "--representation", "trivial",
                          "--fail-above", "0.5"})
                .code,
            1);
}

TEST_F(AuditCommand, CandidatesNameTheEncodedGroup) {
  const Outcome outcome = run_algprior({"audit", file(), "--groups", "C2,C4", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["group"], "C4");
  ASSERT_EQ(json["groups"].size(), 2u);
  EXPECT_EQ(json["groups"][0]["group"], "C4");
  EXPECT_EQ(json["groups"][1]["group"], "C2");
}

TEST_F(AuditCommand, BadInputEndsWithASentence) {
  const Outcome wrong = run_algprior({"audit", file(), "--group", "D4"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "N x 8 x d")) << wrong.err;
  EXPECT_TRUE(contains(wrong.err, "--elements")) << wrong.err;
  const Outcome nameless = run_algprior({"audit", file()});
  EXPECT_EQ(nameless.code, 2);
  EXPECT_TRUE(contains(nameless.err, "--group")) << nameless.err;
  const Outcome missing = run_algprior({"audit", file("none.npz"), "--group", "C4"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(contains(missing.err, "none.npz")) << missing.err;
}

}  // namespace
}  // namespace algprior
