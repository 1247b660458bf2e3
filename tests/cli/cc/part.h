void add_one(int *device);
