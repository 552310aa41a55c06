#pragma once

#include "algprior/nn/network.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <filesystem>

namespace algprior {

/// The network with ρ̂ among its parameters, so that one optimizer trains, one checkpoint keeps and
/// one file stores both: "network.<parameter>" and "representation.<generator>". The functions of
/// the network stay as they are.
Network with_representation(const Network& network, const LearnedRepresentation& representation);

/// ρ̂ as a safetensors file: a matrix for each generator under its name, and the group's name and
/// presentation as metadata. Written aside and renamed. Throws FileError.
void save_representation(const LearnedRepresentation& representation,
                         const std::filesystem::path& path);

/// Throws FileError for a damaged file, InputError when its group or generators are not those of
/// `group` or the matrices are not square and of one size.
LearnedRepresentation load_representation(const Group& group, const std::filesystem::path& path);

}  // namespace algprior
