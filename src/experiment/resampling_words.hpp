#pragma once

#include "algprior/action/resample.hpp"
#include "algprior/base/choice.hpp"

namespace algprior {

inline constexpr Choices<Resampling, 3> kResamplings = {{"none", Resampling::none},
                                                        {"bilinear", Resampling::bilinear},
                                                        {"nearest", Resampling::nearest}};

}  // namespace algprior
