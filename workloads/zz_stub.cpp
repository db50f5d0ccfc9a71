int netzip_stub_workloads;
