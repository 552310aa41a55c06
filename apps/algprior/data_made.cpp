#include "data_made.hpp"

#include "algprior/fluid/smoke.hpp"
#include "algprior/mesh/shrec11.hpp"

namespace algprior {

const std::vector<MadeSet>& made_sets() {
  static const std::vector<MadeSet> sets = {
      {"smoke", "36 simulated plumes in a box of 64 x 64 cells, velocities of 309 frames", "steps",
       [](const std::filesystem::path& folder, const ProgressSink& progress) {
         fluid::make_smoke(folder, progress);
       }},
      {"shrec11", "SHREC'11 shapes on the sphere, 31 conformal maps each, prepared from meshes",
       "meshes",
       [](const std::filesystem::path& folder, const ProgressSink& progress) {
         mesh::prepare_shrec11(mesh::find_shrec11(), folder, progress);
       },
       mesh::shrec11_remark},
  };
  return sets;
}

}  // namespace algprior
