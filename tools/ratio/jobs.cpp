#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "tools/ratio/measure.h"

namespace netzip {
namespace {

constexpr std::chrono::milliseconds kIdle{50};

}  // namespace

void run_jobs(std::size_t count, unsigned threads, std::function<void(std::size_t)> const& job,
              std::function<void()> const& idle) {
    std::atomic<std::size_t> next{0};
    unsigned running = threads;
    std::mutex mutex;
    std::condition_variable ended;
    std::exception_ptr failure;
    std::size_t failed_at = count;
    auto const work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                job(i);
            } catch (...) {
                std::lock_guard const lock(mutex);
                if (i < failed_at) {
                    failed_at = i;
                    failure = std::current_exception();
                }
                next = count;
            }
        }
        std::lock_guard const lock(mutex);
        --running;
        ended.notify_one();
    };
    std::vector<std::thread> pool;
    for (unsigned i = 0; i < threads; ++i) pool.emplace_back(work);
    std::unique_lock lock(mutex);
    while (running > 0) {
        ended.wait_for(lock, kIdle);
        lock.unlock();
        idle();
        lock.lock();
    }
    lock.unlock();
    for (std::thread& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

void for_each_packet(TensorRef const& tensor, std::uint64_t packet_size,
                     std::function<void(std::uint64_t, ByteSpan)> const& body) {
    // Pieces of about 1 MiB: pages are given back on the way.
    std::uint64_t const piece = std::max<std::uint64_t>((1u << 20) / packet_size, 1) * packet_size;
    for (std::uint64_t at = 0; at < tensor.size; at += piece) {
        TensorBytes const loaded = tensor.load(at, std::min(piece, tensor.size - at));
        for (std::uint64_t i = 0; i < loaded.bytes.size(); i += packet_size) {
            body(at + i, loaded.bytes.subspan(i, std::min<std::uint64_t>(packet_size, loaded.bytes.size() - i)));
        }
    }
}

}  // namespace netzip
