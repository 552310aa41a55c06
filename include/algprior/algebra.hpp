#pragma once

// Finite groups, their characters and representations. Needs Eigen alone: link algprior::algebra.

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/catalogue.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/homomorphism.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/group/subgroup.hpp"
#include "algprior/rep/approximate.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/rep/constructions.hpp"
#include "algprior/rep/decomposition.hpp"
#include "algprior/rep/intertwiners.hpp"
#include "algprior/rep/irreps.hpp"
#include "algprior/rep/make_representation.hpp"
#include "algprior/rep/representation.hpp"
