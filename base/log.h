#pragma once

#include <string_view>

namespace netzip {

enum class LogLevel { debug, info, warning, error, off };

/// Messages below `level` are dropped; `warning` at the start. Messages go to standard error, results never do.
void set_log_level(LogLevel level);

void log_debug(std::string_view message);
void log_info(std::string_view message);
void log_warning(std::string_view message);
void log_error(std::string_view message);

}  // namespace netzip
