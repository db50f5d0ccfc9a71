int netzip_stub_nic;
