#include "workloads/recording.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "workloads/readers/manifest.h"
#include "workloads/readers/reader.h"

namespace netzip {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaximumLayers = 32767;  ///< ids of 15 bits, without 0
constexpr char const* kManifest = "manifest.json";

using Identity = std::tuple<std::string, std::string, std::string>;  ///< name, kind, phase

Identity identity(TensorRef const& tensor) {
    return {tensor.name, tensor.kind, tensor.phase};
}

/// Collects the tensors of all files, with the problems of all of them.
class Collector {
public:
    explicit Collector(WorkloadConfig const& config) : verify_(config.verify) {
        options_.dtype = parse_data_type(config.dtype);
        options_.header_limit = config.header_limit.count();
        options_.allow_trailing = config.allow_trailing;
        if (config.files.empty()) throw UsageError("workload.files: expected at least one file, got none");
        for (std::string const& file : config.files) {
            try {
                add(file);
            } catch (InputError const& e) {
                problems_.add(e.what());
            }
        }
        problems_.throw_if_any<InputError>();
    }

    TensorList take() { return std::move(list_); }

private:
    void add(fs::path const& path) {
        std::error_code error;
        if (fs::is_directory(path, error)) return add_directory(path);
        if (path.extension() == ".json") return append(read_manifest(path, options_, verify_), true);
        append(read_tensor_file(path, options_), false);
    }

    void add_directory(fs::path const& path) {
        std::error_code error;
        if (fs::exists(path / kManifest, error)) return add(path / kManifest);
        std::vector<fs::path> files;
        for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
            if (at->is_regular_file(error) && has_tensor_extension(at->path())) files.push_back(at->path());
        }
        if (error) throw InputError(path.string() + ": cannot be read: " + error.message());
        if (files.empty()) throw InputError(path.string() + ": expected " + kManifest + " or tensor files, found none");
        std::sort(files.begin(), files.end());
        for (fs::path const& file : files) add_file(file);
    }

    void add_file(fs::path const& path) {
        try {
            append(read_tensor_file(path, options_), false);
        } catch (InputError const& e) {
            problems_.add(e.what());
        }
    }

    /// A manifest says which iteration a tensor belongs to; else it is the next one of its name.
    void append(TensorList list, bool has_iterations) {
        std::map<Identity, std::uint32_t> in_this_file;
        for (TensorRef& tensor : list.tensors) {
            if (!has_iterations) {
                tensor.iteration = next_iteration_[identity(tensor)];
                ++in_this_file[identity(tensor)];
            }
            list_.tensors.push_back(std::move(tensor));
        }
        for (auto const& [name, count] : in_this_file) next_iteration_[name] += 1;
        list_.notes.insert(list_.notes.end(), list.notes.begin(), list.notes.end());
    }

    ReaderOptions options_;
    bool verify_;
    TensorList list_;
    std::map<Identity, std::uint32_t> next_iteration_;
    Problems problems_;
};

/// Keeps the tensors whose `field` is one of `wanted` (all when empty); a word that matches nothing is a problem.
void select(std::vector<TensorRef>& tensors, std::vector<std::string> const& wanted, std::string TensorRef::*field,
            std::string const& key, Problems& problems) {
    if (wanted.empty()) return;
    std::set<std::string> present;
    for (TensorRef const& tensor : tensors) present.insert(tensor.*field);
    for (std::string const& word : wanted) {
        if (present.contains(word)) continue;
        std::string list;
        for (std::string const& name : present) list += (list.empty() ? "" : ", ") + (name.empty() ? "\"\"" : name);
        std::string const near = nearest(word, {present.begin(), present.end()});
        problems.add(key + ": no tensor of \"" + word + "\" in the recording, it has " + list +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
    }
    std::erase_if(tensors, [&](TensorRef const& tensor) {
        return std::find(wanted.begin(), wanted.end(), tensor.*field) == wanted.end();
    });
}

/// Numbers the iterations that are there 0, 1, 2, ... and drops those beyond the first `limit`.
std::uint32_t limit_iterations(std::vector<TensorRef>& tensors, std::uint64_t limit) {
    std::set<std::uint32_t> found;
    for (TensorRef const& tensor : tensors) found.insert(tensor.iteration);
    std::vector<std::uint32_t> const order(found.begin(), found.end());
    for (TensorRef& tensor : tensors) {
        tensor.iteration =
            static_cast<std::uint32_t>(std::lower_bound(order.begin(), order.end(), tensor.iteration) - order.begin());
    }
    std::erase_if(tensors, [&](TensorRef const& tensor) { return tensor.iteration >= limit; });
    std::stable_sort(tensors.begin(), tensors.end(),
                     [](TensorRef const& a, TensorRef const& b) { return a.iteration < b.iteration; });
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(order.size(), limit));
}

void number_layers(Recording& recording) {
    std::map<Identity, std::uint16_t> ids;
    std::set<std::pair<std::uint32_t, std::uint16_t>> seen;
    Problems problems;
    for (TensorRef& tensor : recording.tensors) {
        auto const [at, is_new] = ids.try_emplace(identity(tensor), static_cast<std::uint16_t>(ids.size() + 1));
        if (is_new) {
            if (ids.size() > kMaximumLayers) {
                throw InputError(tensor.file + ": more than " + std::to_string(kMaximumLayers) +
                                 " different tensors, the NetZIP header has 15 bits for the layer");
            }
            std::string const phase = tensor.phase.empty() ? "" : tensor.phase + "/";
            recording.layers.push_back(phase + tensor.kind + "/" + tensor.name);
        }
        tensor.layer_id = at->second;
        if (!seen.emplace(tensor.iteration, tensor.layer_id).second) {
            problems.add(tensor.file + ": tensor \"" + recording.layers[tensor.layer_id - 1u] +
                         "\" stands twice in iteration " + std::to_string(tensor.iteration));
        }
    }
    problems.throw_if_any<InputError>();
}

}  // namespace

std::optional<DataType> parse_data_type(std::string const& text) {
    if (text.empty()) return std::nullopt;
    std::vector<std::string> names;
    for (auto const& [type, name] : EnumNames<DataType>::values) {
        if (text == name) return type;
        names.emplace_back(name);
    }
    std::string const near = nearest(text, names);
    throw UsageError("workload.dtype: expected bf16, fp16, fp32, fp8_e4m3 or fp8_e5m2, got \"" + text + "\"" +
                     (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

Recording open_recording(WorkloadConfig const& config) {
    TensorList list = Collector(config).take();
    Recording recording;
    recording.notes = std::move(list.notes);
    recording.tensors = std::move(list.tensors);
    Problems problems;
    select(recording.tensors, config.kinds, &TensorRef::kind, "workload.kinds", problems);
    select(recording.tensors, config.phases, &TensorRef::phase, "workload.phases", problems);
    problems.throw_if_any<UsageError>();
    if (recording.tensors.empty()) {
        throw UsageError("workload: the selection of files, kinds and phases holds no tensor");
    }
    recording.iterations = limit_iterations(recording.tensors, config.iterations);
    number_layers(recording);
    return recording;
}

}  // namespace netzip
