#include "tools/explore/report/page_parts.h"

// The assembler copies a file as it is; a generated array of numbers would take seconds to compile.
#define NETZIP_EMBED(name, file)                               \
    asm(".section .rodata\n"                                   \
        ".global netzip_page_" #name                           \
        "\n"                                                   \
        "netzip_page_" #name                                   \
        ":\n"                                                  \
        ".incbin \"" file                                      \
        "\"\n"                                                 \
        ".global netzip_page_" #name                           \
        "_end\n"                                               \
        "netzip_page_" #name                                   \
        "_end:\n"                                              \
        ".previous\n");                                        \
    extern "C" char const netzip_page_##name[];                \
    extern "C" char const netzip_page_##name##_end[];          \
    namespace {                                                \
    std::string_view name() {                                  \
        return {netzip_page_##name, netzip_page_##name##_end}; \
    }                                                          \
    }

#ifdef NETZIP_CHARTS
NETZIP_EMBED(charts, NETZIP_CHARTS)
#else
namespace {
std::string_view charts() {
    return {};
}
}  // namespace
#endif
NETZIP_EMBED(style, NETZIP_PAGE_SOURCE "/page.css")
NETZIP_EMBED(common_script, NETZIP_PAGE_SOURCE "/common.js")
NETZIP_EMBED(sweep_body, NETZIP_PAGE_SOURCE "/sweep.html")
NETZIP_EMBED(sweep_script, NETZIP_PAGE_SOURCE "/sweep.js")
NETZIP_EMBED(run_body, NETZIP_PAGE_SOURCE "/run.html")
NETZIP_EMBED(run_script, NETZIP_PAGE_SOURCE "/run.js")

namespace netzip {

PageParts page_parts() {
    return {charts(), style(), common_script(), sweep_body(), sweep_script(), run_body(), run_script()};
}

}  // namespace netzip
