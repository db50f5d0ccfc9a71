#include "base/error.h"
#include "workloads/capture_source.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace netzip;
    try {
        auto const source = make_capture_source(WorkloadConfig{}, {data, size});
        Message message;
        std::uint64_t bytes = 0;
        while (source->next(message)) bytes += message.bytes.size();
        // Both passes over the file agree.
        if (Bytes{bytes} != source->totals().bytes) std::abort();
    } catch (InputError const&) {
    }
    return 0;
}
