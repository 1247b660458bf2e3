/* Device heap: every thread builds a linked list, walks it and frees it. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

extern "C" __global__ void heap_list(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct node *head = NULL;
    for (int k = 0; k <= i % 5; k++) {
        struct node *e = (struct node *)malloc(sizeof *e);
        if (!e)
            return;
        e->value = i * 10 + k;
        e->next = head;
        head = e;
    }
    int sum = 0;
    while (head) {
        struct node *e = head;
        sum = sum * 3 + e->value;
        head = e->next;
        free(e);
    }
    out[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0
