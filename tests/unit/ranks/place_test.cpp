#include "algprior/ranks/place.hpp"

#include "algprior/base/error.hpp"
#include "algprior/ranks/world.hpp"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

namespace algprior {
namespace {

// Exactly these variables of those that place_from_environment reads.
RankPlace place_with(const std::map<std::string, std::string>& variables) {
  for (const char* name :
       {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE",
        "TORCHELASTIC_RESTART_COUNT", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_NODELIST",
        "SLURM_JOB_ID", "SLURM_STEP_ID", "ALGPRIOR_RANK_TIMEOUT", "LOCAL_RANK", "SLURM_LOCALID"}) {
    unsetenv(name);
  }
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  return place_from_environment();
}

std::string refusal(const std::map<std::string, std::string>& variables) {
  try {
    place_with(variables);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RankPlace, ComesFromTheVariablesOfTorchrunOrOfSrun) {
  EXPECT_EQ(place_with({}).size, 1);
  const RankPlace plain = place_with({{"RANK", "1"},
                                      {"WORLD_SIZE", "3"},
                                      {"MASTER_ADDR", "b"},
                                      {"MASTER_PORT", "77"},
                                      {"ALGPRIOR_RANK_TIMEOUT", "5"}});
  EXPECT_EQ(plain.rank, 1);
  EXPECT_EQ(plain.size, 3);
  EXPECT_EQ(plain.address, "b");
  EXPECT_EQ(plain.port, 77);
  EXPECT_EQ(plain.timeout, 5);
  EXPECT_FALSE(plain.foreign_store);
  const RankPlace elastic = place_with({{"RANK", "0"},
                                        {"WORLD_SIZE", "2"},
                                        {"MASTER_ADDR", "b"},
                                        {"MASTER_PORT", "77"},
                                        {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                        {"TORCHELASTIC_RESTART_COUNT", "2"}});
  EXPECT_TRUE(elastic.foreign_store);
  EXPECT_EQ(elastic.prefix, "/worker/attempt_2/algprior");
  std::map<std::string, std::string> slurm{{"SLURM_STEP_NUM_TASKS", "4"},
                                           {"SLURM_PROCID", "3"},
                                           {"SLURM_STEP_NODELIST", "node[03-04,09]"},
                                           {"SLURM_JOB_ID", "12"},
                                           {"SLURM_STEP_ID", "0"}};
  const RankPlace step = place_with(slurm);
  EXPECT_EQ(step.rank, 3);
  EXPECT_EQ(step.size, 4);
  EXPECT_EQ(step.address, "node03");
  slurm["SLURM_STEP_ID"] = "1";  // two steps of a job do not meet at one port
  EXPECT_NE(place_with(slurm).port, step.port);
  slurm.erase("SLURM_STEP_NUM_TASKS");  // a batch script is one process
  EXPECT_EQ(place_with(slurm).size, 1);
}

TEST(RankPlace, NamesTheVariableThatIsWrong) {
  EXPECT_NE(refusal({{"RANK", "0"}}).find("WORLD_SIZE"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).find("RANK=2"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}}).find("MASTER_ADDR"), std::string::npos);
  EXPECT_NE(
      refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}})
          .find("MASTER_PORT=70000"),
      std::string::npos);
}

TEST(RankPlace, EachRankOfAHostHasItsOwnGpu) {
  const std::map<std::string, std::string> plain{
      {"RANK", "5"}, {"WORLD_SIZE", "8"}, {"MASTER_ADDR", "b"}, {"MASTER_PORT", "77"}};
  EXPECT_FALSE(place_with(plain).local_rank);
  EXPECT_EQ(gpu_of(place_with(plain), 4), 0);  // not told: as any process
  auto local = plain;
  local["LOCAL_RANK"] = "1";
  EXPECT_EQ(gpu_of(place_with(local), 4), 1);
  EXPECT_EQ(gpu_of(place_with(local), 1), 0);  // it sees only its own
  local["LOCAL_RANK"] = "8";
  EXPECT_NE(refusal(local).find("LOCAL_RANK=8"), std::string::npos);
  const RankPlace step = place_with({{"SLURM_STEP_NUM_TASKS", "4"},
                                     {"SLURM_PROCID", "3"},
                                     {"SLURM_LOCALID", "2"},
                                     {"SLURM_STEP_NODELIST", "a"},
                                     {"SLURM_JOB_ID", "12"},
                                     {"SLURM_STEP_ID", "0"}});
  EXPECT_EQ(gpu_of(step, 3), 2);
  try {
    gpu_of(step, 2);
    FAIL() << "two GPUs for three ranks";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 3, number 2 on its host"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("there are 2"), std::string::npos);
  }
}

TEST(RankPlace, FirstHostOfASlurmList) {
  EXPECT_EQ(first_host("one"), "one");
  EXPECT_EQ(first_host("one,two"), "one");
  EXPECT_EQ(first_host("node[03-07,12],gpu1"), "node03");
  EXPECT_EQ(first_host("node[3,5]"), "node3");
  EXPECT_EQ(first_host("rack[1-2]node"), "rack1node");
  EXPECT_EQ(first_host("a,b[1-2]"), "a");
  EXPECT_EQ(first_host("broken["), "broken");
  EXPECT_EQ(first_host(""), "");
}

TEST(Share, OneRankHasEverything) {
  const World alone;
  const Share share = share_of(5, alone);
  EXPECT_EQ(share.begin, 0);
  EXPECT_EQ(share.count, 5);
  EXPECT_EQ(share.weight, 1.0);
  EXPECT_TRUE(share.whole);
}

}  // namespace
}  // namespace algprior
