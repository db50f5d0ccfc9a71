#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace netzip {
namespace {

spdlog::logger& logger() {
    static spdlog::logger instance = [] {
        spdlog::logger made("netzipsim", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made.set_pattern("%n: %l: %v");
        made.set_level(spdlog::level::warn);
        made.flush_on(spdlog::level::trace);
        return made;
    }();
    return instance;
}

spdlog::level::level_enum level_of(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
        case LogLevel::off:
            break;
    }
    return spdlog::level::off;
}

}  // namespace

void set_log_level(LogLevel level) {
    logger().set_level(level_of(level));
}

void log_debug(std::string_view message) {
    logger().debug("{}", message);
}
void log_info(std::string_view message) {
    logger().info("{}", message);
}
void log_warning(std::string_view message) {
    logger().warn("{}", message);
}
void log_error(std::string_view message) {
    logger().error("{}", message);
}

}  // namespace netzip
