#include "tools/explore/report/page.h"

#include "base/error.h"
#include "base/markup_text.h"
#include "tools/explore/report/page_parts.h"

namespace netzip {
namespace {

/// JSON inside a script element: "<" may not stand there, and inside JSON strings it may be spelled \u003c.
std::string script_safe(std::string_view json) {
    std::string out;
    for (char const c : json) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string assemble(PageContent const& content, std::string_view body, std::string_view script) {
    PageParts const parts = page_parts();
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>";
    html += markup_escaped(content.title);
    html += "</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n";
    html += parts.style;
    html += "</style></head><body>\n<header><h1>" + markup_escaped(content.title) + "</h1>\n<p class=\"question\">";
    html += markup_escaped(content.question) + "</p><p class=\"note\">" + markup_escaped(content.description) +
            "</p></header>\n";
    html += body;
    html += "<script>";
    html += parts.charts;
    html +=
        "</script>\n<script type=\"application/json\" id=\"data\">" + script_safe(content.json) + "</script>\n<script>";
    html += parts.common_script;
    html += script;
    html += "</script>\n</body></html>\n";
    return html;
}

}  // namespace

void require_page_support(std::string const& option) {
    if (page_parts().charts.empty()) {
        throw UsageError(option +
                         ": this build has no chart library, because npm or its registry was not available; "
                         "install npm, remove the build folder and build again");
    }
}

std::string sweep_page(PageContent const& content) {
    return assemble(content, page_parts().sweep_body, page_parts().sweep_script);
}

std::string run_page(PageContent const& content) {
    return assemble(content, page_parts().run_body, page_parts().run_script);
}

}  // namespace netzip
