#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "pipeline/stage.h"

namespace netzip {

/// Stages one after another with nothing between them that decides: a packet walks through as many of them as have a
/// slot for it in one call.
///
/// Between the stages of a chain goes what the stream protocol says: a packet's head and tail, and when a slot is free
/// again; without sockets, since nobody else can be there. It is named after its first stage.
class StageChain : public sc_core::sc_module, public Watched, private StreamSink, private StreamSource {
public:
    StreamInput in;
    StreamOutput out;

    explicit StageChain(sc_core::sc_module_name name);

    /// Puts a stage of type S, made of `arguments`, at the end.
    template <class S, class... Arguments>
    void add(Arguments&&... arguments) {
        append(std::make_unique<S>(std::forward<Arguments>(arguments)...));
    }
    std::vector<StageStats> stats() const;
    /// Each stage has a track of its own beside the chain's.
    void watch(Trace& trace, std::string const& track) override;

private:
    /// A stage and how it is with the one after it.
    struct Place {
        std::unique_ptr<Stage> stage;
        bool follows = false;  ///< the clock of the stage before it
        bool owes = false;     ///< it has taken a packet and not said when the next may come
        bool sending = false;
        Duration next_free;  ///< the stage after it has a slot, or the last packet to it has left
    };
    void arrived(StreamInput& port, Payload& payload, Duration head) override;
    Departure depart(StreamOutput& port, Payload& payload, Duration sink_ready) override;
    void append(std::unique_ptr<Stage> stage);
    void enter(std::size_t place, Payload& payload, Duration head, StageEdges const* before);
    void forward(std::size_t place);
    void grant(std::size_t place);
    std::string path_of(std::size_t place) const;

    std::vector<Place> places_;
};

}  // namespace netzip
