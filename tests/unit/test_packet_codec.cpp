#include <algorithm>

#include "base/error.h"
#include "models/packet_codec.h"
#include "support/algorithms.h"
#include "support/catch.h"
#include "support/packet_bytes.h"
#include "support/recordings.h"

using namespace netzip;

namespace {

/// Sends packets through encoder and decoder of one algorithm and checks every bit.
class Wire {
public:
    explicit Wire(AlgorithmConfig const& config) : config_(config), encoder_(config), decoder_(config) {}

    void send(PacketContext const& context, ByteSpan packet) {
        encoder_.encode(context, packet, encoded_);
        bool const sized =
            encoded_.raw ? encoded_.payload.size() == packet.size() : encoded_.payload.size() < packet.size();
        if (!sized) FAIL(config_.name() << " made " << encoded_.payload.size() << " B of " << packet.size() << " B");
        decoder_.decode(context, encoded_, restored_, work_);
        if (restored_.size() != packet.size()) FAIL(config_.name() << " lost bytes of " << packet.size() << " B");
        if (config_.lossless() && !std::equal(packet.begin(), packet.end(), restored_.begin()))
            FAIL(config_.name() << " lost bits of " << packet.size() << " B");
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

    EncodedPacket const& encoded() const { return encoded_; }

private:
    AlgorithmConfig config_;
    PacketEncoder encoder_;
    PacketDecoder decoder_;
    EncodedPacket encoded_;
    ByteBuffer restored_;
    CodecWork work_;
};

AlgorithmConfig default_algorithm(GroupPolicy policy) {
    AlgorithmConfig config;
    config.group_policy = policy;
    return config;
}

}  // namespace

TEST_CASE("every lossless combination returns every bit at every odd length", "[packet_codec]") {
    for (auto const& config : accepted_algorithms()) {
        Wire wire(config);
        for (std::size_t const size : {0, 1, 2, 3, 15, 16, 17, 255, 4095, 4096, 4097, 8192}) {
            for (auto const type : all_of<DataType>()) {
                PacketContext const context{static_cast<std::uint16_t>(type), true, 0, type};
                wire.send(context, ByteBuffer(size, size % 2 == 0 ? 0 : 0x3F));
                wire.send(context, random_bytes(size, 1));
                wire.send(context, dense_bytes(size, 2));
                wire.send(context, sparse_bytes(size, 3));
            }
        }
    }
}

TEST_CASE("every lossless combination returns all 65,536 bf16 patterns", "[packet_codec]") {
    ByteBuffer const patterns = all_bf16_patterns();
    for (auto const& config : accepted_algorithms()) {
        Wire wire(config);
        wire.send_tensor(3, DataType::bf16, patterns, 4096);
        wire.send_tensor(3, DataType::bf16, patterns, 5000);
    }
}

TEST_CASE("every lossless combination returns the recorded tensors", "[packet_codec]") {
    auto const recordings = read_recordings(small_recordings());
    REQUIRE(recordings.size() == 23);
    // One packet of each tensor for every combination; a whole tensor for each, another one each time.
    std::size_t turn = 0;
    for (auto const& config : accepted_algorithms()) {
        Wire wire(config);
        for (std::size_t i = 0; i < recordings.size(); ++i) {
            auto const layer = static_cast<std::uint16_t>(i);
            std::size_t const packets = i == turn % recordings.size() ? 24 : 1;
            for (auto const* const tensor : {&recordings[i].previous, &recordings[i].current})
                wire.send_tensor(layer, DataType::bf16, ByteSpan(tensor->bytes).first(packets * 4096), 4096);
        }
        ++turn;
    }
}

// 65,535 B is the largest length that fits 16 bits.
TEST_CASE("the largest packet comes back, a larger one is refused", "[packet_codec]") {
    ByteBuffer const largest = dense_bytes(kMaximumPacketBytes, 5);
    for (auto const policy : all_of<GroupPolicy>()) Wire(default_algorithm(policy)).send({}, largest);
    PacketEncoder encoder(default_algorithm(GroupPolicy::one_block));
    EncodedPacket encoded;
    CHECK_THROWS_AS(encoder.encode({}, dense_bytes(kMaximumPacketBytes + 1, 5), encoded), RunError);
}

// 4096 B of constant values: 16 planes of 256 equal bytes and no rest. liblz4 codes a plane of 256 equal bytes as
// token, literal, offset 2 B, one length byte, token and 5 last literals = 1+1+2+1+1+5 = 11 B.
TEST_CASE("mask, lengths and base count in the payload", "[packet_codec]") {
    ByteBuffer const constant(4096, 0x55);
    Wire each(default_algorithm(GroupPolicy::per_group));
    each.send({0, true, 0, DataType::bf16}, constant);
    CHECK(each.encoded().payload.size() == 2 + 15 * 2 + 16 * 11 + 2);
    Wire either(default_algorithm(GroupPolicy::per_group_or_raw));
    either.send({0, true, 0, DataType::bf16}, constant);
    CHECK(either.encoded().payload.size() == 2 + 2 + 15 * 1 + 16 * 11 + 2);
}

TEST_CASE("a group that does not shrink is stored, and the mask says which", "[packet_codec]") {
    // Random mantissas and signs (8 planes), one exponent: 8 planes are stored at 256 B, 8 planes shrink to 11 B.
    ByteBuffer packet = random_bytes(4096, 9);
    for (std::size_t i = 0; i < packet.size(); i += 2) {
        packet[i + 1] = static_cast<std::uint8_t>((packet[i + 1] & 0x80) | 0x3F);
        packet[i] |= 0x80;
    }
    AlgorithmConfig config = default_algorithm(GroupPolicy::per_group_or_raw);
    config.delta = DeltaKind::none;
    Wire wire(config);
    wire.send({}, packet);
    CHECK(wire.encoded().payload.size() == 2 + 2 + 7 * 1 + 8 * 11 + 8 * 256);
    // High planes first: sign (stored), eight exponent planes, seven mantissa planes (stored).
    CHECK(wire.encoded().payload[2] == 0xFE);
    CHECK(wire.encoded().payload[3] == 0x01);
    CHECK(wire.encoded().work.blocks[0].stored_raw);
    CHECK_FALSE(wire.encoded().work.blocks[1].stored_raw);
}
