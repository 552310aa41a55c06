// `algprior group` as a person runs it.
#include "algprior/base/text.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "run_program.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "group");
  arguments.push_back("--json");
  const Outcome outcome = run_algprior(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

TEST(GroupCommand, JsonOfD4) {
  const Json json = run_json({"D4"});
  EXPECT_EQ(json["name"], "D4");
  EXPECT_EQ(json["order"], 8);
  EXPECT_EQ(json["exponent"], 4);
  EXPECT_EQ(json["center_order"], 2);
  EXPECT_EQ(json["commutator_order"], 2);
  ASSERT_EQ(json["classes"].size(), 5u);
  EXPECT_EQ(json["classes"][0], Json::parse(R"({"name":"1a","size":1,"element_order":1,)"
                                            R"("representative":{"index":0,"word":"e"}})"));
  ASSERT_EQ(json["irreps"].size(), 5u);
  const Json& last = json["irreps"][4];
  EXPECT_EQ(last["degree"], 2);
  EXPECT_EQ(last["frobenius_schur"], 1);
  EXPECT_EQ(last["real_degree"], 2);
  for (std::size_t c = 0; c < 5; ++c) {
    const Json& of_class = json["classes"][c];
    const bool central = of_class["size"] == 1;
    const double expected = !central ? 0 : of_class["element_order"] == 1 ? 2 : -2;
    EXPECT_EQ(last["character"][c], Json::array({expected, 0.0}));
  }
  EXPECT_EQ(json["presentation"]["generators"], Json::array({"r", "s"}));
  EXPECT_GE(json["presentation"]["relators"].size(), 3u);
  for (const char* key : {"elements", "table", "subgroups", "decomposition", "real_irreps"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
}

// 2026-11-17: JSON had rounded numbers only, and no names of classes.
TEST(GroupCommand, JsonHasExactCharactersBesideTheNumbers) {
  const Json json = run_json({"D5"});
  EXPECT_EQ(json["classes"][1]["name"], "5a");
  const Json& irrep = json["irreps"][2];
  ASSERT_EQ(irrep["character_exact"].size(), irrep["character"].size());
  EXPECT_EQ(irrep["character_exact"][0], "2");
  EXPECT_EQ(irrep["character_exact"][1], "(-1+√5)/2");
  EXPECT_NEAR(irrep["character"][1][0].get<double>(), (std::sqrt(5.0) - 1) / 2, 1e-12);
  EXPECT_FALSE(json.contains("remark"));
  EXPECT_TRUE(contains(run_json({"C8:C2"})["remark"].get<std::string>(), "C8:5C2"));
  EXPECT_TRUE(contains(run_algprior({"group", "C8:C2"}).out, "C8:7C2"));
}

// 2026-11-17: a bound of -1 was taken for the largest there is.
TEST(GroupCommand, NumbersOutOfRangeAreRefused) {
  for (const char* bad : {"-1", "0", "1e6", "99999999999999999999", "12x", ""}) {
    const Outcome outcome = run_algprior({"group", "D4", "--max-order", bad});
    EXPECT_EQ(outcome.code, 2) << bad;
    EXPECT_TRUE(contains(outcome.err, "from 1 to 1000000000")) << outcome.err;
    EXPECT_LT(outcome.err.size(), 300u) << outcome.err;
  }
  const Outcome seed = run_algprior({"train", "x.toml", "--seed", "99999999999999999999"});
  EXPECT_EQ(seed.code, 2);
  EXPECT_TRUE(contains(seed.err, "\"99999999999999999999\" is no whole number")) << seed.err;
  const Outcome jobs = run_algprior({"paper", "run", "x", "--jobs", "0"});
  EXPECT_EQ(jobs.code, 2);
  EXPECT_LT(jobs.err.size(), 300u) << jobs.err;
}

// 2026-11-17: tables were as wide as their cells.
TEST(GroupCommand, TextFitsAScreenOf80Columns) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"group", "D4xD4", "--subgroups"},
                                             {"group", "Oh", "--irreps"},
                                             {"group", "C2^6"},
                                             {"paper", "list"},
                                             {"paper", "table", "ddmnist"},
                                             {"help"},
                                             {"help", "group"}}) {
    const Outcome outcome = run_algprior(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    bool example = false;  // commands stay whole, to be copied
    for (std::size_t start = 0; start < outcome.out.size();) {
      const std::size_t end = outcome.out.find('\n', start);
      const std::string line = outcome.out.substr(start, end - start);
      example = example || line == "Example:" || contains(line, "what fills them");
      if (example) break;
      EXPECT_LE(display_width(line), 80u) << arguments.back() << ": " << line;
      start = end + 1;
    }
  }
}

TEST(GroupCommand, BoundsAreNamedInTheirMessagesAndCanBeRaised) {
  const Outcome small = run_algprior({"group", "<a | a^5000>", "--max-cosets", "100"});
  EXPECT_EQ(small.code, 1);
  EXPECT_TRUE(contains(small.err, "max_cosets = 100")) << small.err;
  EXPECT_TRUE(contains(small.err, "--max-cosets")) << small.err;
  const Outcome order = run_algprior({"group", "S5", "--max-order", "100"});
  EXPECT_EQ(order.code, 1);
  EXPECT_TRUE(contains(order.err, "--max-order")) << order.err;
  EXPECT_EQ(run_json({"<a | a^50>", "--max-cosets", "5000", "--max-order", "50"})["order"], 50);
}

TEST(GroupCommand, QuaternionsHaveARealIrreducibleOfDegreeFour) {
  const Json json = run_json({"Q8", "--irreps"});
  EXPECT_EQ(json["irreps"][4]["frobenius_schur"], -1);
  EXPECT_EQ(json["irreps"][4]["real_degree"], 4);
  EXPECT_EQ(json["real_irreps"][4]["type"], "quaternionic");
  for (const auto& [name, matrix] : json["real_irreps"][4]["matrices"].items()) {
    EXPECT_EQ(matrix.size(), 4u) << name;
  }
  for (const auto& [name, matrix] : json["irreps"][4]["matrices"].items()) {
    EXPECT_EQ(matrix.size(), 2u) << name;
  }
}

TEST(GroupCommand, ElementsTableAndSubgroups) {
  const Json json = run_json({"S3", "--elements", "--table", "--subgroups"});
  EXPECT_EQ(json["elements"].size(), 6u);
  EXPECT_EQ(json["elements"][0]["word"], "e");
  for (std::size_t g = 0; g < 6; ++g) {
    EXPECT_EQ(json["table"][g][0], g);
    EXPECT_EQ(json["table"][0][g], g);
  }
  ASSERT_EQ(json["subgroups"].size(), 4u);  // 1, C2, C3, S3
  EXPECT_EQ(json["subgroups"][1]["conjugates"], 3);
  EXPECT_EQ(json["subgroups"][2]["normal"], true);
}

TEST(GroupCommand, RegularRepresentationHoldsEveryIrreducibleAsOftenAsItsDegree) {
  const Json json = run_json({"<a,b | a^3, b^4, a^b = a^-1>", "--decompose", "regular"});
  EXPECT_EQ(json["order"], 12);
  const Json& decomposition = json["decomposition"];
  EXPECT_EQ(decomposition["dimension"], 12);
  for (std::size_t i = 0; i < json["irreps"].size(); ++i) {
    EXPECT_EQ(decomposition["multiplicities"][i], json["irreps"][i]["degree"]);
  }
  std::size_t dimension = 0;
  for (const Json& part : decomposition["real_multiplicities"]) {
    const Json& irrep = json["irreps"][part["irrep"].get<std::size_t>()];
    dimension += part["multiplicity"].get<std::size_t>() * irrep["real_degree"].get<std::size_t>();
  }
  EXPECT_EQ(dimension, 12u);
  EXPECT_LT(decomposition["residual"].get<double>(), 1e-9);
}

TEST(GroupCommand, DefiningRepresentationOfS4) {
  const Json json = run_json({"S4", "--decompose", "defining"});
  EXPECT_EQ(json["decomposition"]["dimension"], 4);
  EXPECT_EQ(json["decomposition"]["multiplicities"][0], 1.0);
}

class LearnedMatrices : public ::testing::Test {
 protected:
  LearnedMatrices() {
    std::string pattern = (fs::temp_directory_path() / "algprior-group-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder = pattern;
  }
  ~LearnedMatrices() override { fs::remove_all(folder); }

  std::string write(const io::NamedArrays& arrays) const {
    const fs::path path = folder / "learned.npz";
    io::write_npz(path, arrays);
    return path.string();
  }
  fs::path folder;
};

io::Array matrix(std::vector<double> values) {
  return io::make_array<double>({2, 2}, values);
}

TEST_F(LearnedMatrices, ATurnWithNoiseIsNearTheTwoDimensionalIrreducible) {
  const std::string file =
      write({{"r", matrix({0.001, -1, 1.002, 0})}, {"s", matrix({-1, 0.001, 0, 0.999})}});
  const Json json = run_json({"D4", "--decompose", file});
  const Json& decomposition = json["decomposition"];
  EXPECT_EQ(decomposition["dimension"], 2);
  EXPECT_NEAR(decomposition["multiplicities"][4].get<double>(), 1, 0.02);
  EXPECT_NEAR(decomposition["multiplicities_by_classes"][4].get<double>(), 1, 0.02);
  EXPECT_EQ(decomposition["multiplicities_by_eigenvalues"][4], 1.0);
  EXPECT_TRUE(decomposition["nearest"]["found"].get<bool>());
  EXPECT_LT(decomposition["nearest"]["distance"].get<double>(), 0.01);
  EXPECT_EQ(decomposition["relators"].size(), json["presentation"]["relators"].size());
  EXPECT_TRUE(contains(run_algprior({"group", "D4", "--decompose", file}).out,
                       "nearest exact representation"));
}

// 2026-11-17: only NPZ was read, and no complex arrays.
TEST_F(LearnedMatrices, StandInAnyArrayFile) {
  const io::NamedArrays arrays{{"r", matrix({0, 1, -1, 0})}, {"s", matrix({-1, 0, 0, 1})}};
  const fs::path tensors = folder / "learned.safetensors", stack = folder / "learned.npy";
  io::write_safetensors(tensors, {arrays, {}});
  io::write_npy(stack,
                io::make_array<double>({2, 2, 2}, std::vector<double>{0, 1, -1, 0, -1, 0, 0, 1}));
  for (const fs::path& file : {tensors, stack}) {
    const Json decomposition = run_json({"D4", "--decompose", file.string()})["decomposition"];
    EXPECT_NEAR(decomposition["multiplicities"][4].get<double>(), 1, 1e-9) << file;
    EXPECT_EQ(decomposition["complex"], false);
  }
  const Outcome wrong = run_algprior({"group", "D4xC2", "--decompose", stack.string()});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "shape [3, d, d]")) << wrong.err;
  EXPECT_TRUE(contains(run_algprior({"group", "D4", "--decompose", "reglar"}).err, "regular"));
}

TEST_F(LearnedMatrices, MayBeComplex) {
  // C3 by ω and ω² on the diagonal: one copy each of the two complex characters, or of one twice.
  const double half = -0.5, root = std::sqrt(0.75);
  const auto diagonal = [&](double second) {
    io::Array array{io::Dtype::complex128, {2, 2}, io::Bytes(64)};
    const std::vector<double> parts{half, root, 0, 0, 0, 0, half, second};
    std::memcpy(array.bytes.data(), parts.data(), 64);
    return array;
  };
  const Json both =
      run_json({"C3", "--decompose", write({{"r", diagonal(-root)}})})["decomposition"];
  EXPECT_EQ(both["complex"], true);
  EXPECT_EQ(both["dimension"], 2);
  EXPECT_NEAR(both["multiplicities"][1].get<double>(), 1, 1e-9);
  EXPECT_NEAR(both["multiplicities"][2].get<double>(), 1, 1e-9);
  EXPECT_TRUE(both["nearest"]["found"]);
  const Json twice =
      run_json({"C3", "--decompose", write({{"r", diagonal(root)}})})["decomposition"];
  EXPECT_NEAR(twice["multiplicities"][1].get<double>() + twice["multiplicities"][2].get<double>(),
              2, 1e-9);
  EXPECT_NEAR(
      std::abs(twice["multiplicities"][1].get<double>() - twice["multiplicities"][2].get<double>()),
      2, 1e-9);
  EXPECT_NEAR(twice["multiplicities_by_classes"][0].get<double>(), 0, 1e-9);
}

// 2026-11-17: what an archive holds beside the generators was unpacked too.
TEST_F(LearnedMatrices, ForeignArraysAreNotUnpacked) {
  const std::string file = write({{"r", matrix({0, 1, -1, 0})},
                                  {"s", matrix({-1, 0, 0, 1})},
                                  {"other", {io::Dtype::uint8, {1000}, io::Bytes(1000)}}});
  EXPECT_EQ(run_algprior({"group", "D4", "--decompose", file}).code, 0);
}

TEST_F(LearnedMatrices, AMissingGeneratorIsNamed) {
  const Outcome outcome =
      run_algprior({"group", "D4", "--decompose", write({{"r", matrix({0, -1, 1, 0})}})});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "no matrix for generator s")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "learned.npz"));
}

TEST(GroupCommand, TextShowsExactCharacters) {
  const Outcome outcome = run_algprior({"group", "D5"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"D5", "order 10", "r^5", "(-1+√5)/2", "χ4", "real", "5a"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  }
  EXPECT_TRUE(contains(run_algprior({"group", "C3"}).out, "ζ3^2"));
  EXPECT_TRUE(contains(run_algprior({"group", "C4"}).out, "-i"));
  EXPECT_TRUE(contains(run_algprior({"group", "Q8"}).out, "quaternionic"));
}

TEST(GroupCommand, MistakesSayWhatToDo) {
  const Outcome syntax = run_algprior({"group", "<r,s | r^4, s^2, (r*s>"});
  EXPECT_EQ(syntax.code, 2);
  const Outcome file = run_algprior({"group", "D4", "--decompose", "nowhere.npz"});
  EXPECT_EQ(file.code, 1);
  EXPECT_TRUE(contains(file.err, "nowhere.npz"));
  const Outcome table = run_algprior({"group", "D2000", "--table"});
  EXPECT_EQ(table.code, 1);
  EXPECT_TRUE(contains(table.err, "leave out --table"));
}

}  // namespace
}  // namespace algprior
