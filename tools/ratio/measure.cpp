#include "tools/ratio/measure.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "models/packet_codec.h"
#include "tools/ratio/whole.h"

namespace netzip {
namespace {

std::uint64_t values_in(DataType type, std::uint64_t bytes) {
    std::uint64_t const size = element_bytes(type);
    return (bytes + size - 1) / size;
}

/// One combination on one layer: an encoder and a decoder that know nothing else.
Measured measure_packets(AlgorithmConfig const& algorithm, RatioLayer const& layer, std::uint64_t packet_size,
                         std::atomic<std::uint64_t>& done) {
    PacketEncoder encoder(algorithm);
    PacketDecoder decoder(algorithm);
    EncodedPacket encoded;
    ByteBuffer decoded;
    CodecWork work;
    Measured measured;
    for (std::size_t i = 0; i < layer.iterations.size(); ++i) {
        bool const reported = i >= layer.first_reported();
        for_each_packet(*layer.iterations[i], packet_size, [&](std::uint64_t offset, ByteSpan packet) {
            PacketContext const context{0, offset == 0, offset, layer.type};
            encoder.encode(context, packet, encoded);
            decoder.decode(context, encoded, decoded, work);
            done += packet.size();
            if (!reported) return;
            ++measured.packets;
            measured.raw_packets += encoded.raw ? 1 : 0;
            measured.original += packet.size();
            measured.compressed += encoded.payload.size() + kNetzipHeaderBytes;
            measured.values += values_in(layer.type, packet.size());
            measured.lost += count_different_values(layer.type, decoded, packet);
        });
    }
    return measured;
}

Floor measure_floor(RatioLayer const& layer, std::uint64_t packet_size) {
    FloorCounter counter(layer.type);
    for (std::size_t i = layer.first_reported(); i < layer.iterations.size(); ++i) {
        for_each_packet(*layer.iterations[i], packet_size,
                        [&](std::uint64_t, ByteSpan packet) { counter.add(packet); });
    }
    return counter.floor();
}

}  // namespace

Measured& Measured::operator+=(Measured const& other) {
    packets += other.packets;
    raw_packets += other.raw_packets;
    original += other.original;
    compressed += other.compressed;
    values += other.values;
    lost += other.lost;
    return *this;
}

std::vector<RatioLayer> layers_of(Recording const& recording) {
    std::map<std::uint16_t, RatioLayer> by_id;
    for (TensorRef const& tensor : recording.tensors) {
        if (tensor.size == 0) continue;
        RatioLayer& layer = by_id[tensor.layer_id];
        layer.name = tensor.name;
        layer.kind = tensor.kind;
        layer.phase = tensor.phase;
        layer.layer = tensor.layer;
        layer.type = tensor.dtype;
        layer.iterations.push_back(&tensor);
    }
    std::vector<RatioLayer> layers;
    for (auto& [id, layer] : by_id) {
        layer.neutral_base = layer.iterations.size() == 1;
        layers.push_back(std::move(layer));
    }
    return layers;
}

Measured RatioResult::sum(std::size_t combination, std::string const& kind) const {
    Measured total;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (kind.empty() || layers[i].kind == kind) total += cells[combination][i];
    }
    return total;
}

Floor RatioResult::floor(std::string const& kind) const {
    std::vector<Floor> chosen;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (kind.empty() || layers[i].kind == kind) chosen.push_back(floors[i]);
    }
    return mean_floor(chosen);
}

std::vector<std::string> RatioResult::kinds() const {
    std::vector<std::string> kinds;
    for (RatioLayer const& layer : layers) kinds.push_back(layer.kind);
    std::sort(kinds.begin(), kinds.end());
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    return kinds;
}

std::uint64_t ratio_work(Recording const& recording, std::size_t combinations) {
    std::uint64_t bytes = 0;
    for (TensorRef const& tensor : recording.tensors) bytes += tensor.size;
    return bytes * combinations;
}

RatioResult measure_ratios(Recording const& recording, std::vector<AlgorithmConfig> const& combinations,
                           RatioOptions const& options, RatioProgress const& progress) {
    RatioResult result;
    result.combinations = combinations;
    result.layers = layers_of(recording);
    std::size_t const layers = result.layers.size();
    result.floors.resize(layers);
    result.cells.assign(combinations.size(), std::vector<Measured>(layers));
    if (options.whole) check_whole(combinations);

    std::atomic<std::uint64_t> done{0};
    // Layer by layer, so that the combinations of a layer find its pages in memory; first of all its floor.
    std::size_t const per_layer = combinations.size() + 1;
    auto const job = [&](std::size_t i) {
        std::size_t const layer = i / per_layer;
        if (i % per_layer == 0) {
            result.floors[layer] = measure_floor(result.layers[layer], options.packet_size);
            return;
        }
        std::size_t const c = i % per_layer - 1;
        result.cells[c][layer] =
            options.whole ? measure_whole(combinations[c], result.layers[layer], done)
                          : measure_packets(combinations[c], result.layers[layer], options.packet_size, done);
    };
    run_jobs(layers * per_layer, options.threads, job, [&] { progress(done); });
    return result;
}

}  // namespace netzip
