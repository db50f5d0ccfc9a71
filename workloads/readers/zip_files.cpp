#include "base/error.h"
#include "workloads/readers/excerpt.h"
#include "workloads/readers/numpy.h"
#include "workloads/readers/torch.h"
#include "workloads/readers/zip_archive.h"

namespace netzip {
namespace {

constexpr std::string_view kNpy = ".npy";
constexpr std::string_view kTorchObject = "data.pkl";
constexpr std::uint64_t kNpyHead = 66'000;  ///< bytes; the longest header that is read, with its prefix

TensorList read_npz(std::shared_ptr<MappedFile const> const& file, std::shared_ptr<ZipArchive const> const& archive,
                    ReaderOptions const& options) {
    TensorList list;
    for (std::size_t i = 0; i < archive->members().size(); ++i) {
        ZipArchive::Member const& member = archive->members()[i];
        std::string const place = file->name() + ": member \"" + excerpt(member.name) + "\"";
        if (!member.name.ends_with(kNpy)) {
            list.notes.push_back(place + " is left out: not a .npy");
            continue;
        }
        NpyHeader const header = parse_npy_header(archive->head(i, kNpyHead), place);
        if (member.size < header.data_offset) throw InputError(place + ": the header is cut off");
        std::string const key = member.name.substr(0, member.name.size() - kNpy.size());
        TensorRef tensor =
            npy_tensor(header, key, place, file->name(), member.size - header.data_offset, options, list.notes);
        set_npy_data(tensor, header, archive->data(i, header.data_offset));
        list.tensors.push_back(std::move(tensor));
    }
    return list;
}

}  // namespace

TensorList read_zip(std::shared_ptr<MappedFile const> const& file, ReaderOptions const& options) {
    auto const archive = ZipArchive::open(file);
    for (ZipArchive::Member const& member : archive->members()) {
        if (member.name == kTorchObject || member.name.ends_with("/" + std::string(kTorchObject))) {
            std::string const root = member.name.substr(0, member.name.size() - kTorchObject.size());
            return read_torch_zip(file, archive, root);
        }
    }
    for (ZipArchive::Member const& member : archive->members()) {
        if (member.name.ends_with(kNpy)) return read_npz(file, archive, options);
    }
    throw InputError(file->name() + ": expected a .npz or a torch .pt, found a ZIP archive without .npy or " +
                     std::string(kTorchObject));
}

}  // namespace netzip
