#include "workloads/readers/json.h"

#include <vector>

#include "base/error.h"

namespace netzip {
namespace {

constexpr std::size_t kExcerpt = 60;  ///< characters of a value that an error shows
constexpr std::size_t kDeepest = 64;  ///< nested objects and arrays; the formats need 4

/// Builds the value from the parser's events and refuses a key that stands twice, which the library would overwrite.
class Builder : public nlohmann::json_sax<nlohmann::json> {
public:
    Builder(std::string const& name, std::size_t offset) : name_(name), offset_(offset) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, string_t const&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(nlohmann::json::object()); }
    bool start_array(std::size_t) override { return open(nlohmann::json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        if (open_.back()->contains(value))
            throw InputError(name_ + ": the key \"" + excerpt(value) + "\" stands twice");
        key_ = std::move(value);
        return true;
    }
    bool parse_error(std::size_t position, std::string const&, nlohmann::json::exception const&) override {
        std::size_t const at = offset_ + (position > 0 ? position - 1 : 0);
        throw InputError(name_ + ": byte " + std::to_string(at) + ": not valid JSON");
    }

    nlohmann::json take() { return std::move(root_); }

private:
    nlohmann::json* place(nlohmann::json value) {
        if (open_.empty()) return &(root_ = std::move(value));
        nlohmann::json& parent = *open_.back();
        if (parent.is_array()) return &parent.get_ref<nlohmann::json::array_t&>().emplace_back(std::move(value));
        return &(parent[key_] = std::move(value));
    }
    bool add(nlohmann::json value) {
        place(std::move(value));
        return true;
    }
    bool open(nlohmann::json value) {
        if (open_.size() == kDeepest) throw InputError(name_ + ": JSON nested deeper than 64 levels");
        open_.push_back(place(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::string const& name_;
    std::size_t offset_;
    nlohmann::json root_;
    std::vector<nlohmann::json*> open_;  ///< a parent does not grow while a child is open
    std::string key_;
};

}  // namespace

std::string excerpt(std::string_view text) {
    std::string out(text.substr(0, kExcerpt));
    for (char& c : out) {
        if (c < ' ' || c > '~') c = '?';
    }
    return text.size() > kExcerpt ? out + "..." : out;
}

std::string json_excerpt(nlohmann::json const& value) {
    return excerpt(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

nlohmann::json parse_json(std::span<std::uint8_t const> text, std::string const& name, std::size_t offset) {
    Builder builder(name, offset);
    // The library's own callback parser looks at all earlier members after each object: quadratic in the tensors.
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

}  // namespace netzip
