#pragma once

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "support/catch.h"
#include "workloads/readers/reader.h"

namespace netzip {

inline std::shared_ptr<MappedFile const> file_in_memory(std::string const& name, std::string const& content) {
    return MappedFile::of_bytes(name, {reinterpret_cast<std::uint8_t const*>(content.data()), content.size()});
}

/// The one line with which the reader refuses a file, without its name; "accepted" when it does not.
inline std::string refusal_of_file(std::string const& name, std::string const& content,
                                   ReaderOptions const& options = {}) {
    try {
        read_tensor_file(file_in_memory(name, content), options);
    } catch (InputError const& e) {
        std::string const message = e.what();
        REQUIRE(message.starts_with(name + ": "));
        return message.substr(name.size() + 2);
    }
    return "accepted";
}

/// Reads `rounds` corrupted versions of a good file: bytes changed, mostly among the first `header` bytes, and ends
/// cut off. Each is either refused with an InputError or read as tensors whose bytes are all there.
inline void check_corruptions(std::string const& name, std::string const& good, std::size_t header,
                              ReaderOptions const& options, std::uint64_t rounds = 3000) {
    CounterRandom const random(rounds);
    for (std::uint64_t i = 0; i < rounds; ++i) {
        std::string bad = good;
        CounterRandom const draw = random.stream(i);
        for (std::uint64_t n = 0; n <= i % 3; ++n) {
            bad[draw.at(2 * n) % (i % 4 == 0 ? bad.size() : std::min(header, bad.size()))] =
                static_cast<char>(draw.at(2 * n + 1));
        }
        if (i % 5 == 0) bad.resize(draw.at(99) % bad.size());
        try {
            for (TensorRef const& tensor : read_tensor_file(file_in_memory(name, bad), options).tensors) {
                if (tensor.load().bytes.size() != tensor.size) FAIL("a tensor has fewer bytes than it says");
            }
        } catch (InputError const&) {
        }
    }
}

}  // namespace netzip
