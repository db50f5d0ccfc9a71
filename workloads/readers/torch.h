#pragma once

#include "workloads/readers/reader.h"
#include "workloads/readers/zip_archive.h"

namespace netzip {

/// A ZIP archive that torch.save wrote: `root` stands before "data.pkl" and "data/0".
TensorList read_torch_zip(std::shared_ptr<MappedFile const> const& file,
                          std::shared_ptr<ZipArchive const> const& archive, std::string const& root);

}  // namespace netzip
