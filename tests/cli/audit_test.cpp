// `algprior audit` as a person runs it.
#include "algprior/base/file.hpp"
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

TEST_F(AuditCommand, WritesAPageAndComparesTwo) {
  const Outcome page = run_algprior({"audit", file(), "--group", "C4", "--html", file("a.html")});
  ASSERT_EQ(page.code, 0) << page.err;
  const std::string html = read_file(file("a.html"));
  EXPECT_TRUE(contains(html, "Equivariant under C4 to the regular representation"));
  EXPECT_TRUE(contains(html, "audit-0-audit-multiplicities"));
  const Outcome both = run_algprior({"audit", file(), "--against", file(), "--group", "C4"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_TRUE(contains(both.out, "no difference shown")) << both.out;
}

// A run of ours: its own data, action and prior; the report shows what it left.
TEST_F(AuditCommand, RunsAreAuditedByTheirOwnAction) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  std::vector<float> x;
  RandomStream random(RandomKey(2, "audit run"));
  std::vector<std::int64_t> y;
  for (int n = 0; n < 60; ++n) {
    for (int k = 0; k < 16; ++k) x.push_back(static_cast<float>(random.normal()));
    y.push_back(n % 2);
  }
  io::write_npz(folder_ / "data.npz",
                {{"x", io::make_array({60, 1, 4, 4}, x)}, {"y", io::make_array({60}, y)}});
  write_file(folder_ / "my.toml",
             "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"C4\"\ntrain = \"" +
                 file("data.npz") + "\"\nvalidation = \"" + file("data.npz") + "\"\ntest = \"" +
                 file("data.npz") +
                 "\"\n[network]\nkind = \"mlp\"\nlatent = 8\nhidden = [8]\n[prior]\n"
                 "representation = \"regular\"\n[train]\nepochs = 2\nbatch_size = 20\n");
  const std::string run = file("run");
  const Outcome trained = run_algprior({"train", file("my.toml"), "--out", run, "--json"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(contains(read_file(folder_ / "run" / "element_error.csv"), "element,word,error\n"));
  const Outcome audited = run_algprior({"audit", run, "--json"});
  ASSERT_EQ(audited.code, 0) << audited.err;
  const auto json = nlohmann::json::parse(audited.out);
  EXPECT_EQ(json["group"], "C4");
  EXPECT_EQ(json["dimension"], 8);
  EXPECT_EQ(json["samples"], 60);
  EXPECT_TRUE(json["errors"]["given"].is_object());
  EXPECT_NEAR(json["errors"]["given"]["value"].get<double>(),
              json["errors"]["regular"]["value"].get<double>(), 1e-6);  // by matrices, by places
  EXPECT_EQ(json["floor"]["value"], 0.0);
  EXPECT_EQ(json["room"]["classes"], 2);
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "run" / "audit.json")), json);
  const Outcome output = run_algprior({"audit", run, "--layer", "output"});
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(contains(output.out, ", output")) << output.out;
  const Outcome page = run_algprior({"report", run, "-o", file("run.html")});
  ASSERT_EQ(page.code, 0) << page.err;
  const std::string html = read_file(file("run.html"));
  EXPECT_TRUE(contains(html, "Are the encoders equivariant?"));
  EXPECT_TRUE(contains(html, "id=\"audit-1\""));  // the output
  const Outcome layer = run_algprior({"audit", run, "--layer", "3"});
  EXPECT_EQ(layer.code, 2);
  EXPECT_TRUE(contains(layer.err, "no such layer")) << layer.err;
  const Outcome group = run_algprior({"audit", run, "--group", "D4"});
  EXPECT_EQ(group.code, 2);
  EXPECT_TRUE(contains(group.err, "group of its own")) << group.err;
}

TEST_F(AuditCommand, TorchScriptFilesAreForThoseWhoTrustThem) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const std::string script = ALGPRIOR_TEST_DATA "/torchscript/quarters.pt";
  std::vector<float> x;
  RandomStream random(RandomKey(3, "audit script"));
  for (int k = 0; k < 60 * 64; ++k) x.push_back(static_cast<float>(random.normal()));
  io::write_npz(folder_ / "x.npz", {{"x", io::make_array({60, 1, 8, 8}, x)}});
  io::write_npz(folder_ / "wide.npz", {{"x", io::make_array({60, 1, 4, 16}, x)}});
  io::write_npz(folder_ / "odd.npz",
                {{"x", io::make_array({10, 1, 7, 7}, std::vector<float>(490, 1.0f))}});
  const auto audit = [&](const std::string& model, const char* data, const char* action) {
    return run_algprior({"audit", "--torchscript", model, "--data", file(data), "--action", action,
                         "--group", "C4"});
  };
  const Outcome found = audit(script, "x.npz", "planar");
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out.find("A TorchScript file can run code"), 0u) << found.out;
  EXPECT_TRUE(contains(found.out, "Equivariant under C4 to the regular representation"));
  EXPECT_TRUE(contains(found.out, "every g is exact on the inputs")) << found.out;
  EXPECT_TRUE(contains(run_algprior({"audit", "--help"}).out, "Trusted files"));
  const Outcome no_script = audit(file("x.npz") + ".pt", "x.npz", "planar");
  EXPECT_EQ(no_script.code, 1);
  write_file(folder_ / "text.pt", "import torch");
  const Outcome text = audit(file("text.pt"), "x.npz", "planar");
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(contains(text.err, "no TorchScript file")) << text.err;
  const Outcome archive = audit(file("x.npz"), "x.npz", "planar");
  EXPECT_EQ(archive.code, 1);
  EXPECT_TRUE(contains(archive.err, "no TorchScript file")) << archive.err;
  for (const char* data : {"wide.npz", "odd.npz"}) {
    const Outcome size = audit(script, data, "planar");
    EXPECT_EQ(size.code, 2) << size.err;
  }
  EXPECT_TRUE(contains(audit(script, "x.npz", "plane").err, "planar"));
  EXPECT_EQ(run_algprior({"audit", "--torchscript", script}).code, 2);
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
