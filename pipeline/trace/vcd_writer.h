#pragma once

#include <map>

#include "base/results/output_file.h"
#include "pipeline/trace/trace.h"

namespace netzip {

/// Writes spans and levels as a value change dump (IEEE 1364), for wave viewers.
///
/// A track becomes `NAME.busy`, 1 while a packet is in it, and `NAME.packets`, how many; a level becomes a vector of
/// its own. Dots make scopes. Changes are kept in memory and sorted at the end, since modules report ahead of the
/// kernel's time. The time unit is the femtosecond.
class VcdWriter final : public Trace {
public:
    explicit VcdWriter(std::string path, TraceLimits const& limits = {});

    void span(std::string_view track, std::string_view name, Duration begin, Duration end) override;
    void level(std::string_view name, Duration time, std::uint64_t value) override;
    std::string close() override;

private:
    enum class Kind : std::uint8_t { set, add, remove };
    struct Signal {
        std::string path;
        bool counted = false;  ///< from spans: has a `busy` bit beside its vector
    };
    struct Change {
        std::uint64_t time;
        std::uint32_t signal;
        Kind kind;
        std::uint64_t value;
    };
    std::uint32_t signal_of(std::string_view path, bool counted);
    void add(Change const& change);
    void declare(std::string& out) const;
    static std::string code(std::uint64_t number);
    void print(std::string& out, std::uint32_t signal, std::uint64_t value) const;

    OutputFile file_;
    TraceLimits limits_;
    std::vector<Signal> signals_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::vector<Change> changes_;
    std::uint64_t left_out_ = 0;
    bool closed_ = false;
};

}  // namespace netzip
