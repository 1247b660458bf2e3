/* SPDX-License-Identifier: Apache-2.0 */
/* A map from addresses (of handles, host stubs, shadow variables) to what the runtime knows about them. The keys are never
 * followed: any pointer a program passes may be looked up. */
#ifndef CUDART_MAP_H
#define CUDART_MAP_H

#include <stdint.h>

struct rt_map_slot {
    uint64_t key; /* 0: empty */
    void *value;
};
struct rt_map {
    struct rt_map_slot *slots;
    uint32_t n, cap; /* cap: 0 or a power of two */
};

void *rt_map_get(const struct rt_map *m, uint64_t key);       /* NULL: none */
void rt_map_put(struct rt_map *m, uint64_t key, void *value); /* key and value not 0; replaces */
void rt_map_remove(struct rt_map *m, uint64_t key);
void rt_map_free(struct rt_map *m);

#endif
