#pragma once

#include <string>

#include "workloads/tensor.h"

namespace netzip {

/// A tensor with name, kind and model layer as its key says: "gradient/layers.3.mlp.up.weight" is a gradient of
/// layer 3 named "layers.3.mlp.up.weight"; without a known kind in front it is a "tensor" with the key as its name.
TensorRef named_tensor(std::string const& key, std::string const& file);

/// The first whole number behind "layer", "layers.", "h." or "blocks." in a tensor's name, or -1.
int model_layer(std::string const& name);

}  // namespace netzip
