#include "nic/codec_trace_file.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <xxhash.h>

#include "base/config/load.h"
#include "base/results/run_info.h"

namespace netzip {
namespace {

constexpr char kMagic[] = "netzip trace 2\n";
constexpr std::size_t kDigestLength = 2 * sizeof(XXH128_canonical_t);

std::string hex(XXH128_hash_t hash) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    std::string text;
    for (unsigned char const byte : canonical.digest) text += fmt::format("{:02x}", byte);
    return text;
}

std::string digest_of(std::string_view text) {
    return hex(XXH3_128bits(text.data(), text.size()));
}

class Writer {
public:
    void number(std::uint32_t value) { raw(&value, sizeof value); }
    void raw(void const* data, std::size_t size) { text_.append(static_cast<char const*>(data), size); }

    void work(CodecWork const& work) {
        number(static_cast<std::uint32_t>(work.blocks.size()));
        for (BlockWork const& block : work.blocks) {
            for (std::uint32_t value : {block.bytes_in, block.bytes_out, block.literals, block.matches,
                                        block.match_bytes, block.short_offset_bytes, block.escapes}) {
                number(value);
            }
            number(block.stored_raw ? 1 : 0);
            number(static_cast<std::uint32_t>(block.sequences.size()));
            raw(block.sequences.data(), block.sequences.size() * sizeof(LzSequence));
            number(static_cast<std::uint32_t>(block.parts.size()));
            raw(block.parts.data(), block.parts.size() * sizeof(std::uint32_t));
        }
    }
    std::string& text() { return text_; }

private:
    std::string text_;
};

/// Reads what Writer wrote; `good()` is false from the first read beyond the end on.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool good() const { return good_; }
    bool at_end() const { return text_.empty(); }
    std::uint32_t number() {
        std::uint32_t value = 0;
        raw(&value, sizeof value);
        return value;
    }
    void raw(void* data, std::size_t size) {
        good_ = good_ && size <= text_.size();
        if (!good_ || size == 0) return;
        std::memcpy(data, text_.data(), size);
        text_.remove_prefix(size);
    }
    /// A number of things of `size` bytes each, at most as many as are left.
    std::uint32_t count(std::size_t size) {
        std::uint32_t const value = number();
        good_ = good_ && value <= text_.size() / size;
        return good_ ? value : 0;
    }

    void work(CodecWork& work) {
        constexpr std::size_t kLeastBlock = 10 * sizeof(std::uint32_t);
        work.blocks.resize(count(kLeastBlock));
        for (BlockWork& block : work.blocks) {
            for (std::uint32_t* value : {&block.bytes_in, &block.bytes_out, &block.literals, &block.matches,
                                         &block.match_bytes, &block.short_offset_bytes, &block.escapes}) {
                *value = number();
            }
            block.stored_raw = number() != 0;
            block.sequences.resize(count(sizeof(LzSequence)));
            raw(block.sequences.data(), block.sequences.size() * sizeof(LzSequence));
            block.parts.resize(count(sizeof(std::uint32_t)));
            raw(block.parts.data(), block.parts.size() * sizeof(std::uint32_t));
        }
    }

private:
    std::string_view text_;
    bool good_ = true;
};

}  // namespace

struct TraceDigest::State {
    State() { XXH3_128bits_reset(hash.get()); }
    void add(void const* data, std::size_t size) { XXH3_128bits_update(hash.get(), data, size); }
    void add(std::string const& text) { add(text.data(), text.size()); }

    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> hash{XXH3_createState()};
};

TraceDigest::TraceDigest(ExperimentConfig const& config) : state_(std::make_unique<State>()) {
    AlgorithmConfig algorithm = config.nic.algorithm;
    state_->add(kMagic + program_stamp() + "\n" + write_toml(registry_of(algorithm)));
    state_->add(to_string(config.nic.protocol.path_mtu) + " " + std::to_string(config.nic.base_registers) + "\n");
}

TraceDigest::~TraceDigest() = default;

void TraceDigest::add(Message const& message) {
    state_->add(std::to_string(message.layer) + " " + std::to_string(message.queue_pair) + " " +
                std::to_string(message.compress) + " " + std::to_string(static_cast<int>(message.dtype)) + " " +
                std::to_string(message.tensor_offset) + " " + std::to_string(message.bytes.size()) + "\n");
    state_->add(message.bytes.data(), message.bytes.size());
}

std::string TraceDigest::name() {
    return hex(XXH3_128bits_digest(state_->hash.get())) + ".trace";
}

bool read_trace(std::string const& file, std::uint64_t packets, CodecTrace& trace) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return false;
    std::string const text(std::istreambuf_iterator<char>(stream), {});
    std::size_t const head = sizeof kMagic - 1;
    if (text.size() < head + kDigestLength || text.compare(0, head, kMagic) != 0) return false;
    std::string const body = text.substr(0, text.size() - kDigestLength);
    if (digest_of(body) != text.substr(body.size())) return false;

    Reader reader(std::string_view(body).substr(head));
    constexpr std::size_t kLeastPacket = 4 * sizeof(std::uint32_t);
    if (reader.count(kLeastPacket) != packets) return false;
    trace.packets.resize(packets);
    for (PacketTrace& packet : trace.packets) {
        packet.attempt_size = reader.number();
        packet.mismatched_values = reader.number();
        reader.work(packet.compress);
        reader.work(packet.decompress);
    }
    trace.first_mismatch.resize(reader.count(1));
    reader.raw(trace.first_mismatch.data(), trace.first_mismatch.size());
    return reader.good() && reader.at_end();
}

std::string to_bytes(CodecTrace const& trace) {
    Writer writer;
    writer.raw(kMagic, sizeof kMagic - 1);
    writer.number(static_cast<std::uint32_t>(trace.packets.size()));
    for (PacketTrace const& packet : trace.packets) {
        writer.number(packet.attempt_size);
        writer.number(packet.mismatched_values);
        writer.work(packet.compress);
        writer.work(packet.decompress);
    }
    writer.number(static_cast<std::uint32_t>(trace.first_mismatch.size()));
    writer.raw(trace.first_mismatch.data(), trace.first_mismatch.size());
    writer.text() += digest_of(writer.text());
    return std::move(writer.text());
}

}  // namespace netzip
