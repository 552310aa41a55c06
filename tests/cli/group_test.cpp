// `algprior group` as a person runs it.
#include "algprior/io/npy.hpp"
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
  EXPECT_EQ(json["classes"][0],
            Json::parse(R"({"size":1,"element_order":1,"representative":{"index":0,"word":"e"}})"));
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
