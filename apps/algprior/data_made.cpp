#include "data_made.hpp"

#include "algprior/fluid/smoke.hpp"

namespace algprior {

const std::vector<MadeSet>& made_sets() {
  static const std::vector<MadeSet> sets = {
      {"smoke", "36 simulated plumes in a box of 64 x 64 cells, velocities of 309 frames", "steps",
       [](const std::filesystem::path& folder, const ProgressSink& progress) {
         fluid::make_smoke(folder, progress);
       }},
  };
  return sets;
}

}  // namespace algprior
