#include <random>

#include "base/error.h"
#include "models/packet_codec.h"
#include "support/catch.h"
#include "support/recordings.h"

using namespace netzip;

namespace {

/// Every value of an enumeration.
template <class E>
std::vector<E> all_of() {
    std::vector<E> values;
    for (auto const& [value, name] : EnumNames<E>::values) values.push_back(value);
    return values;
}

/// Every combination that the configuration accepts.
std::vector<AlgorithmConfig> accepted_algorithms() {
    std::vector<AlgorithmConfig> accepted;
    for (auto const delta : all_of<DeltaKind>())
        for (auto const grouping : all_of<GroupingKind>())
            for (auto const order : all_of<GroupOrder>())
                for (auto const policy : all_of<GroupPolicy>())
                    for (auto const codec : all_of<CodecKind>()) {
                        AlgorithmConfig config;
                        config.delta = delta;
                        config.grouping = grouping;
                        config.group_order = order;
                        config.group_policy = policy;
                        config.codec = codec;
                        Problems problems;
                        config.check("algorithm.", problems);
                        bool const repeats = grouping == GroupingKind::none && order == GroupOrder::artifact;
                        if (problems.empty() && !repeats) accepted.push_back(config);
                    }
    return accepted;
}

/// Sends packets through encoder and decoder of one algorithm and checks every bit.
class Link {
public:
    explicit Link(AlgorithmConfig const& config) : config_(config), encoder_(config), decoder_(config) {}

    void send(PacketContext const& context, ByteSpan packet) {
        encoder_.encode(context, packet, encoded_);
        REQUIRE((encoded_.raw ? encoded_.payload.size() == packet.size() : encoded_.payload.size() < packet.size()));
        decoder_.decode(context, encoded_, restored_, work_);
        bool const same = std::equal(packet.begin(), packet.end(), restored_.begin(), restored_.end());
        if (config_.lossless() && !same) FAIL(config_.name() << " lost bits of " << packet.size() << " B");
        REQUIRE(restored_.size() == packet.size());
    }

    /// A tensor of one iteration, cut into packets.
    void send_tensor(std::uint16_t layer, DataType type, ByteSpan tensor, std::size_t packet_bytes) {
        PacketContext context{layer, true, 0, type};
        for (std::size_t at = 0; at < tensor.size(); at += packet_bytes) {
            context.tensor_offset = at;
            send(context, tensor.subspan(at, std::min(packet_bytes, tensor.size() - at)));
            context.first_of_tensor = false;
        }
    }

private:
    AlgorithmConfig config_;
    PacketEncoder encoder_;
    PacketDecoder decoder_;
    EncodedPacket encoded_;
    ByteBuffer restored_;
    CodecWork work_;
};

ByteBuffer all_bf16_patterns() {
    ByteBuffer bytes;
    for (unsigned p = 0; p < 65536; ++p) {
        bytes.push_back(static_cast<std::uint8_t>(p));
        bytes.push_back(static_cast<std::uint8_t>(p >> 8));
    }
    return bytes;
}

ByteBuffer random_bytes(std::size_t size, unsigned seed) {
    std::mt19937 generator(seed);
    ByteBuffer bytes(size);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(generator());
    return bytes;
}

/// Random values with few exponents: compressible, with a sprinkle of zeros.
ByteBuffer dense_bytes(std::size_t size, unsigned seed) {
    ByteBuffer bytes = random_bytes(size, seed);
    for (std::size_t i = 1; i < size; i += 2) bytes[i] = static_cast<std::uint8_t>(0x3C + (bytes[i] & 0x81));
    for (std::size_t i = 0; i + 1 < size; i += 26) bytes[i] = bytes[i + 1] = 0;
    return bytes;
}

}  // namespace

TEST_CASE("every lossless combination returns every bit at every odd length", "[packet_codec]") {
    for (auto const& config : accepted_algorithms()) {
        Link link(config);
        for (std::size_t const size : {0, 1, 2, 3, 7, 8, 15, 16, 17, 255, 4095, 4096, 4097, 8192}) {
            for (auto const type : all_of<DataType>()) {
                auto const layer = static_cast<std::uint16_t>(type);
                PacketContext const context{layer, true, 0, type};
                link.send(context, ByteBuffer(size, 0));
                link.send(context, ByteBuffer(size, 0x3F));
                link.send(context, random_bytes(size, 1));
                link.send(context, dense_bytes(size, 2));
                link.send(context, dense_bytes(size, 2));
            }
        }
    }
}

TEST_CASE("every lossless combination returns all 65,536 bf16 patterns", "[packet_codec]") {
    ByteBuffer const patterns = all_bf16_patterns();
    for (auto const& config : accepted_algorithms()) {
        Link link(config);
        link.send_tensor(3, DataType::bf16, patterns, 4096);
        link.send_tensor(3, DataType::bf16, patterns, 5000);
    }
}

TEST_CASE("every lossless combination returns the recorded tensors", "[packet_codec]") {
    auto const recordings = read_recordings(small_recordings());
    REQUIRE(recordings.size() == 23);
    for (auto const& config : accepted_algorithms()) {
        Link link(config);
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            // A few packets of each; the golden tests run all of them through the codecs.
            auto const layer = static_cast<std::uint16_t>(i);
            link.send_tensor(layer, DataType::bf16, ByteSpan(recordings[i].previous.bytes).first(3 * 4096), 4096);
            link.send_tensor(layer, DataType::bf16, ByteSpan(recordings[i].current.bytes).first(3 * 4096), 4096);
        }
    }
}
