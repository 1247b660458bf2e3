/* Every lane takes the same spin lock: needs lanes of one warp to make progress on their own. */
extern "C" __global__ void spin_lock(int *lock, volatile int *count, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                *count = *count + 1;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}

/* The form that needs independent lanes: wait inside, no way out of the loop without the lock. */
extern "C" __global__ void spin_wait(int *lock, volatile int *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

/* Lane i waits for lane i - 1 of the same warp. */
extern "C" __global__ void lane_chain(volatile int *flag, volatile int *order)
{
    int i = threadIdx.x;
    if (i > 0)
        while (flag[i - 1] == 0)
            ;
    order[i] = i > 0 ? order[i - 1] + i : 0;
    __threadfence();
    flag[i] = 1;
}
// SPDX-License-Identifier: Apache-2.0
