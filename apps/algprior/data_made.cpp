#include "data_made.hpp"

namespace algprior {

const std::vector<MadeSet>& made_sets() {
  static const std::vector<MadeSet> sets = {};
  return sets;
}

}  // namespace algprior
