namespace netzip { extern int placeholder; int placeholder = 0; }
