// The LZ4 decompressor: restores what liblz4 and lz4_hw coded, refuses what is damaged, and when.
#include <lz4.h>

#include "Vlz4_decompressor.h"
#include "models/codec/codec.h"
#include "models/timing/coupled_lz_decoder.h"
#include "models/transform/grouping.h"
#include "packets.h"
#include "support/catch.h"

using namespace netzip;
using namespace netzip::rtl;

namespace {

constexpr std::size_t kWord = 8;

struct CodedBlock {
    ByteBuffer original;
    ByteBuffer coded;
    BlockWork work;
    std::uint64_t offer = 0;
};

struct DecodedBlock {
    ByteBuffer data;
    bool error = false;
    EngineStamps stamps;
};

std::vector<DecodedBlock> run(Vlz4_decompressor& dut, std::vector<CodedBlock> const& blocks, Stalls stalls,
                              std::uint64_t seed) {
    constexpr std::uint64_t kPatience = 20000;
    Random random(seed);
    std::vector<DecodedBlock> out(blocks.size());
    std::size_t sent = 0, at = 0, received = 0;
    bool head = true;
    std::uint64_t moved = 0;
    reset(dut);
    for (std::uint64_t cycle = 0; received < blocks.size(); ++cycle) {
        bool offered = sent < blocks.size() && (at > 0 || cycle >= blocks[sent].offer);
        if (offered && dut.s_valid == 0 && random.chance(stalls.source)) offered = false;
        dut.s_valid = offered;
        std::size_t const bytes = offered ? std::min(kWord, blocks[sent].coded.size() - at) : 0;
        if (offered) {
            std::uint64_t word = random.next() * 0x100000001u;
            std::memcpy(&word, blocks[sent].coded.data() + at, bytes);
            dut.s_data = word;
            dut.s_bytes = static_cast<std::uint8_t>(bytes);
            dut.s_last = at + bytes == blocks[sent].coded.size();
            dut.s_size = static_cast<std::uint16_t>(blocks[sent].original.size());
        }
        dut.m_ready = !random.chance(stalls.sink);
        dut.eval();
        bool const accepted = offered && dut.s_ready != 0;
        bool const delivered = dut.m_valid != 0 && dut.m_ready != 0;
        if (accepted || delivered) moved = cycle;
        if (cycle > moved + kPatience) throw std::runtime_error("no word moved for 20,000 cycles");
        if (accepted) {
            if (at == 0) out[sent].stamps.start = cycle;
            at += bytes;
            if (at == blocks[sent].coded.size()) {
                at = 0;
                ++sent;
            }
        }
        if (delivered) {
            DecodedBlock& result = out[received];
            if (head) result.stamps.first_out = cycle;
            std::uint64_t const word = dut.m_data;
            auto const* from = reinterpret_cast<std::uint8_t const*>(&word);
            result.data.insert(result.data.end(), from, from + dut.m_bytes);
            head = dut.m_last != 0;
            if (!head && dut.m_bytes != kWord) throw std::runtime_error("a word in the middle is not full");
            if (head) {
                result.error = dut.m_error != 0;
                result.stamps.done = cycle + 1;
                ++received;
            }
        }
        step(dut);
        if (accepted) dut.s_valid = 0;
    }
    return out;
}

/// The block format, decoded one byte after the other; false when it is damaged. The last sequence has literals.
bool decodes(ByteBuffer const& in, std::size_t size, ByteBuffer& out) {
    std::size_t at = 0;
    auto const length = [&](std::size_t nibble, std::size_t& value) {
        value = nibble;
        if (nibble != 15) return true;
        for (;;) {
            if (at >= in.size() || value > 5000) return false;
            value += in[at];
            if (in[at++] != 255) return true;
        }
    };
    while (at < in.size()) {
        std::size_t const token = in[at++];
        std::size_t literals = 0, match = 0;
        if (!length(token >> 4, literals) || literals > in.size() - at || out.size() + literals > size) return false;
        out.insert(out.end(), in.begin() + static_cast<std::ptrdiff_t>(at),
                   in.begin() + static_cast<std::ptrdiff_t>(at + literals));
        at += literals;
        if (literals > 0 && out.size() == size) return at == in.size();
        if (in.size() - at < 2) return false;
        std::size_t const offset = in[at] | in[at + 1] << 8;
        at += 2;
        if (!length(token & 15, match)) return false;
        match += 4;
        if (offset == 0 || offset > out.size() || out.size() + match >= size) return false;
        for (std::size_t i = 0; i < match; ++i) out.push_back(out[out.size() - offset]);
    }
    return false;
}

CodedBlock code(ByteBuffer data, CodecKind kind) {
    AlgorithmConfig config;
    config.codec = kind;
    CodedBlock block;
    block.original = std::move(data);
    make_codec(config)->compress({}, block.original, block.coded, block.work);
    return block;
}

std::vector<CodedBlock> mixed_blocks(std::size_t count, Random& random, std::size_t most = 4096) {
    std::vector<ByteBuffer> const recorded = recorded_packets(count);
    std::vector<CodedBlock> blocks;
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t const size = random.chance(110) ? 1 + random.below(static_cast<std::uint32_t>(most)) : most;
        ByteBuffer data =
            random.chance(128) ? recorded[n % recorded.size()] : adversarial_packet(random.next(), size, random);
        data.resize(std::min(size, data.size()));
        if (random.chance(160)) {
            ByteBuffer const raw = data;
            group(random.chance(128) ? GroupingKind::bit : GroupingKind::byte, GroupOrder::high_first, DataType::bf16,
                  raw, data);
        }
        blocks.push_back(code(data, random.chance(128) ? CodecKind::lz4 : CodecKind::lz4_hw));
    }
    return blocks;
}

std::size_t count_wrong(std::vector<CodedBlock> const& blocks, Stalls stalls) {
    Vlz4_decompressor dut;
    auto const out = run(dut, blocks, stalls, 3);
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < blocks.size(); ++n) wrong += out[n].error || out[n].data != blocks[n].original;
    return wrong;
}

}  // namespace

TEST_CASE("the LZ4 decompressor restores every block, whatever stalls", "[rtl][lz4]") {
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{90, 0}, Stalls{0, 90}, Stalls{120, 200}, Stalls{200, 60}}) {
        Random random(41 + stalls.source);
        INFO("stalls " << stalls.source << " " << stalls.sink);
        CHECK(count_wrong(mixed_blocks(150, random), stalls) == 0);
    }
}

// Every offset around the widths of the copier (8), of its register copy (16) and beyond, with matches of every
// remainder modulo 8, at every alignment of the output.
TEST_CASE("matches of every short offset are copied right", "[rtl][lz4]") {
    Random random(42);
    std::vector<CodedBlock> blocks;
    for (std::size_t offset = 1; offset <= 40; ++offset) {
        for (std::size_t length = 4; length <= 44; length += 1 + random.below(3)) {
            std::size_t const literals = offset + random.below(9);
            CodedBlock block;
            ByteBuffer& coded = block.coded;
            coded.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4 |
                                                      std::min<std::size_t>(length - 4, 15)));
            if (literals >= 15) coded.push_back(static_cast<std::uint8_t>(literals - 15));
            for (std::size_t i = 0; i < literals; ++i) coded.push_back(static_cast<std::uint8_t>(random.next()));
            coded.push_back(static_cast<std::uint8_t>(offset));
            coded.push_back(0);
            if (length - 4 >= 15) coded.push_back(static_cast<std::uint8_t>(length - 19));
            std::size_t const end = 5 + random.below(6);
            coded.push_back(static_cast<std::uint8_t>(end << 4));
            for (std::size_t i = 0; i < end; ++i) coded.push_back(static_cast<std::uint8_t>(random.next()));
            REQUIRE(decodes(coded, literals + length + end, block.original));
            blocks.push_back(block);
        }
    }
    CHECK(count_wrong(blocks, {}) == 0);
}

TEST_CASE("a damaged block ends with an error, or decodes as the format says, and the next one is unharmed",
          "[rtl][lz4]") {
    Random random(43);
    std::vector<CodedBlock> blocks = mixed_blocks(700, random, 300);
    for (std::size_t n = 0; n < blocks.size(); ++n) {
        if (n % 3 == 2) continue;
        ByteBuffer& coded = blocks[n].coded;
        for (std::uint32_t i = random.below(3); i < 3; ++i)
            coded[random.below(static_cast<std::uint32_t>(std::min<std::size_t>(coded.size(), 24)))] =
                static_cast<std::uint8_t>(random.chance(80) ? 255 : random.next());
        if (random.chance(60)) coded.resize(1 + random.below(static_cast<std::uint32_t>(coded.size())));
        if (random.chance(30)) coded.push_back(0);
    }
    // Offsets 0 and 5 behind four literals.
    for (std::uint8_t const offset : {0, 5}) {
        CodedBlock block;
        block.original.resize(13);
        block.coded = {0x40, 1, 2, 3, 4, offset, 0, 0x50, 5, 6, 7, 8, 9};
        blocks.push_back(block);
    }
    for (Stalls const stalls : {Stalls{0, 0}, Stalls{100, 100}}) {
        Vlz4_decompressor dut;
        auto const out = run(dut, blocks, stalls, 7);
        std::size_t wrong = 0, refused = 0;
        for (std::size_t n = 0; n < blocks.size(); ++n) {
            ByteBuffer expected;
            bool const good = decodes(blocks[n].coded, blocks[n].original.size(), expected);
            wrong += good == out[n].error || (good && expected != out[n].data);
            refused += out[n].error;
        }
        CHECK(wrong == 0);
        CHECK(refused > 100);
    }
}

TEST_CASE("the recurrence of parser and copier predicts every stamp of the LZ4 decompressor", "[rtl][lz4][timing]") {
    struct Case {
        std::size_t count, most, gap;
    };
    for (Case const c : {Case{2000, 4096, 0}, Case{1000, 4096, 1500}, Case{9000, 300, 0}}) {
        Random random(44 + c.gap);
        std::vector<CodedBlock> blocks = mixed_blocks(c.count, random, c.most);
        std::uint64_t offer = 0;
        for (CodedBlock& block : blocks) block.offer = offer += random.below(static_cast<std::uint32_t>(c.gap + 1));
        Vlz4_decompressor dut;
        auto const rtl = run(dut, blocks, {}, 8);
        for (std::uint64_t const error : {0, 1}) {
            CoupledLzDecoder model({kWord, 2 + error});
            std::size_t different = 0;
            for (std::size_t n = 0; n < blocks.size(); ++n) {
                EngineStamps const s = model.admit(blocks[n].offer, blocks[n].offer, blocks[n].work);
                EngineStamps const& r = rtl[n].stamps;
                different += (s.start != r.start) + (s.first_out != r.first_out) + (s.done != r.done);
            }
            INFO("latency off by " << error);
            CHECK((error == 0 ? different == 0 : different == 2 * blocks.size()));
        }
    }
}
