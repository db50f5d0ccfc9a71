#include "tools/netzipsim/experiment_subject.h"

#include <memory>

#include "base/config/load.h"
#include "base/results/run_info.h"
#include "nic/experiment_config.h"
#include "nic/run_experiment.h"
#include "tools/explore/identity.h"

namespace netzip {

SweepSubject experiment_subject(SweepFile const& sweep, std::string const& cache) {
    auto const base = std::make_shared<ExperimentConfig>();
    std::string const directory = sweep.path.parent_path().string();
    std::vector<std::string> files;
    for (auto const& experiment : sweep.experiments) files.push_back(experiment.lexically_normal().string());
    Problems problems;
    ConfigRegistry registry = registry_of(*base);
    load(registry, files, {}, problems);
    if (problems.empty()) assign_point(registry, sweep.fixed, directory, problems);
    problems.throw_if_any<UsageError>();

    SweepSubject subject;
    subject.version = version();
    subject.configuration = identity_of(registry);
    subject.check = [base, directory](Assignments const& point, Problems& found) {
        ExperimentConfig config = *base;
        ConfigRegistry own = registry_of(config);
        assign_point(own, point, directory, found);
    };
    subject.run = [base, directory, cache](Assignments const& point) {
        ExperimentConfig config = *base;
        ConfigRegistry own = registry_of(config);
        Problems found;
        assign_point(own, point, directory, found);
        found.throw_if_any<UsageError>();
        if (config.run.cache.empty()) config.run.cache = cache;
        return run_experiment(config);
    };
    return subject;
}

}  // namespace netzip
