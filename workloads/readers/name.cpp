#include "workloads/readers/name.h"

#include <array>
#include <charconv>
#include <string_view>

namespace netzip {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"gradient", "activation", "activation_gradient", "parameter"};
constexpr std::array<std::string_view, 5> kLayerWords{"layers.", "layer.", "layer", "blocks.", "h."};

}  // namespace

int model_layer(std::string const& name) {
    for (std::string_view const word : kLayerWords) {
        for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
            if (at != 0 && name[at - 1] != '.' && name[at - 1] != '/' && name[at - 1] != '_') continue;
            char const* const begin = name.data() + at + word.size();
            int layer = -1;
            if (std::from_chars(begin, name.data() + name.size(), layer).ptr != begin && layer >= 0) return layer;
        }
    }
    return -1;
}

TensorRef named_tensor(std::string const& key, std::string const& file) {
    TensorRef tensor;
    tensor.name = key;
    tensor.file = file;
    std::size_t const slash = key.find('/');
    if (slash != std::string::npos) {
        for (std::string_view const kind : kKinds) {
            if (std::string_view(key).substr(0, slash) != kind) continue;
            tensor.kind = kind;
            tensor.name = key.substr(slash + 1);
        }
    }
    tensor.layer = model_layer(tensor.name);
    return tensor;
}

}  // namespace netzip
