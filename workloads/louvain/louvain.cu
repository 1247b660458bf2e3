/* Louvain communities: in each round every vertex adds up its edges per neighbouring community in a hash
 * table and moves to the one with the largest gain in modularity (up in number in even rounds, down in odd
 * ones, so that neighbours do not swap for ever); when modularity stops growing, the graph is contracted
 * (on the host) and the next level begins. Eight threads treat a vertex of low degree, a CTA one of high
 * degree, its table in shared or in global memory. Weights are integers and gains 64-bit, so the result
 * does not depend on the order of atomics. Hashing, shared atomics, 64-bit arithmetic. */
#include "../graph.h"

#define LEVELS 2
#define GROUP 8           /* threads that share a vertex of low degree */
#define SMALL_TABLE 64    /* their table, twice GRAPH_MID */
#define SHARED_TABLE 2048 /* a CTA's, twice GRAPH_HIGH */
#define WIDE_BLOCK 128
#define EMPTY (-1)

typedef unsigned long long u64;

struct level {
    struct device_graph g;
    const int *community;
    int *next;
    const int *strength; /* a vertex's weights added up */
    int *total;          /* a community's strengths */
    long long all;       /* the weight of all edges, both ways */
    int up;              /* moves go to higher numbers */
};

__device__ static inline void table_add(int *keys, int *weights, int mask, int community, int weight)
{
    unsigned slot = (unsigned)community * 2654435761u >> 7 & (unsigned)mask;
    for (;;) {
        int seen = atomicCAS(&keys[slot], EMPTY, community);
        if (seen == EMPTY || seen == community)
            break;
        slot = (slot + 1) & (unsigned)mask;
    }
    atomicAdd(&weights[slot], weight);
}

struct offer {
    long long gain;
    int community;
};

__device__ static inline struct offer better(struct offer a, struct offer b)
{
    return b.gain > a.gain || (b.gain == a.gain && b.community < a.community) ? b : a;
}

/* The best of LANES neighbouring lanes, in all of them. */
template <int LANES> __device__ static inline struct offer lanes_best(struct offer best)
{
#pragma unroll
    for (int step = LANES / 2; step; step /= 2) {
        struct offer other = {__shfl_xor_sync(0xffffffffu, best.gain, step),
                              __shfl_xor_sync(0xffffffffu, best.community, step)};
        best = better(best, other);
    }
    return best;
}

/* The best of the table's slots first, first + step, ...; the own community's gain is what staying is
 * worth. */
__device__ static inline struct offer table_best(const int *keys, const int *weights, int slots, int first,
                                                 int step, const struct level &l, int vertex)
{
    int own = l.community[vertex], strength = l.strength[vertex];
    struct offer best = {-0x7fffffffffffffffll, 0x7fffffff};
#pragma unroll 1
    for (int i = first; i < slots; i += step) {
        int c = keys[i];
        if (c == EMPTY || (l.up ? c < own : c > own))
            continue;
        long long others = l.total[c] - (c == own ? strength : 0);
        struct offer o = {l.all * weights[i] - strength * others, c};
        best = better(best, o);
    }
    return best;
}

__device__ static inline void add_edges(int *keys, int *weights, int mask, int first, int step,
                                        const struct level &l, int vertex)
{
    int end = l.g.start[vertex + 1];
#pragma unroll 1
    for (int e = l.g.start[vertex] + first; e < end; e += step)
        if (l.g.to[e] != vertex)
            table_add(keys, weights, mask, l.community[l.g.to[e]], l.g.weight[e]);
}

/* A power of two, more than twice the degree and less than four times it, at least 16. */
__device__ static inline int table_size(int degree) { return 4 << (31 - __clz(degree | 4)); }

__global__ void move_low(struct level l, int first, int count)
{
    __shared__ int keys[GRAPH_BLOCK / GROUP][SMALL_TABLE], weights[GRAPH_BLOCK / GROUP][SMALL_TABLE];
    int group = threadIdx.x / GROUP, lane = threadIdx.x % GROUP,
        i = blockIdx.x * (GRAPH_BLOCK / GROUP) + group;
    int vertex = l.g.order[first + min(i, count - 1)];
    int slots = table_size(l.g.start[vertex + 1] - l.g.start[vertex]);
#pragma unroll 1
    for (int s = lane; s < slots; s += GROUP)
        keys[group][s] = EMPTY, weights[group][s] = 0;
    __syncwarp();
    if (lane == 0)
        table_add(keys[group], weights[group], slots - 1, l.community[vertex], 0);
    add_edges(keys[group], weights[group], slots - 1, lane, GROUP, l, vertex);
    __syncwarp();
    struct offer best =
        lanes_best<GROUP>(table_best(keys[group], weights[group], slots, lane, GROUP, l, vertex));
    if (lane == 0 && i < count)
        l.next[vertex] = best.community;
}

/* One CTA a vertex, on a table that is already empty. */
__device__ static inline void move_wide(const struct level &l, int vertex, int *keys, int *weights, int slots)
{
    __shared__ struct offer scratch[WIDE_BLOCK / 32];
    if (threadIdx.x == 0)
        table_add(keys, weights, slots - 1, l.community[vertex], 0);
    add_edges(keys, weights, slots - 1, threadIdx.x, WIDE_BLOCK, l, vertex);
    __syncthreads();
    struct offer best = lanes_best<32>(table_best(keys, weights, slots, threadIdx.x, WIDE_BLOCK, l, vertex));
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x)
        return;
    for (int i = 1; i < WIDE_BLOCK / 32; i++)
        best = better(best, scratch[i]);
    l.next[vertex] = best.community;
}

__global__ void move_mid(struct level l, int first)
{
    __shared__ int keys[SHARED_TABLE], weights[SHARED_TABLE];
    int vertex = l.g.order[first + blockIdx.x], degree = l.g.start[vertex + 1] - l.g.start[vertex];
    int slots = table_size(degree);
#pragma unroll 1
    for (int s = threadIdx.x; s < slots; s += WIDE_BLOCK)
        keys[s] = EMPTY, weights[s] = 0;
    __syncthreads();
    move_wide(l, vertex, keys, weights, slots);
}

__global__ void move_high(struct level l, int *keys, int *weights, int slots)
{
    int vertex = l.g.order[blockIdx.x];
    size_t at = (size_t)blockIdx.x * slots;
#pragma unroll 1
    for (int s = threadIdx.x; s < slots; s += WIDE_BLOCK)
        keys[at + s] = EMPTY, weights[at + s] = 0;
    __syncthreads();
    move_wide(l, vertex, keys + at, weights + at, slots);
}

__global__ void move_totals(struct level l, int n)
{
    int v = blockIdx.x * GRAPH_BLOCK + threadIdx.x;
    if (v >= n || l.next[v] == l.community[v])
        return;
    atomicSub(&l.total[l.community[v]], l.strength[v]);
    atomicAdd(&l.total[l.next[v]], l.strength[v]);
}

__device__ static inline void add_up(u64 x, u64 *sum)
{
#pragma unroll
    for (int step = 16; step; step /= 2)
        x += __shfl_down_sync(0xffffffffu, x, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, x);
}

/* sums[0] += the weight inside communities, sums[1] += the squares of the totals. */
__global__ void modularity(struct level l, int n, u64 *sums)
{
    int i = blockIdx.x * GRAPH_BLOCK + threadIdx.x, v = i / GROUP;
    u64 inside = 0;
    if (v < n) {
        int own = l.next[v], end = l.g.start[v + 1];
#pragma unroll 1
        for (int e = l.g.start[v] + i % GROUP; e < end; e += GROUP)
            inside += l.next[l.g.to[e]] == own ? l.g.weight[e] : 0;
    }
    add_up(inside, &sums[0]);
    if ((i & ~31) < n) {
        u64 total = i < n ? l.total[i] : 0;
        add_up(total * total, &sums[1]);
    }
}

/* Modularity times the square of all weight: exact, and below 2^63 for the sizes here. */
static long long score(const u64 *sums, long long all) { return (long long)(sums[0] * (u64)all - sums[1]); }

/* Slots for the table of any vertex: a power of two, at least twice the largest degree. */
static int widest(const struct graph *g)
{
    int slots = 2 * GRAPH_HIGH;
    for (int v = 0; v < g->n; v++)
        while (slots < 2 * (g->start[v + 1] - g->start[v]))
            slots *= 2;
    return slots;
}

/* Rounds until the score stops growing, at most `most`; `community` is the result. Returns how many. */
static int device_level(const struct graph *g, const int *strength, long long all, int most, int *community)
{
    size_t bytes = g->n * sizeof(int);
    int slots = widest(g);
    struct level l = {graph_to_device(g), NULL, NULL, NULL, NULL, all, 1};
    int *d_now = (int *)device_copy(community, bytes), *d_next = (int *)device_alloc(bytes);
    int *d_keys = (int *)device_alloc((size_t)(g->high + 1) * slots * sizeof(int));
    int *d_weights = (int *)device_alloc((size_t)(g->high + 1) * slots * sizeof(int));
    int *d_strength = (int *)device_copy(strength, bytes);
    u64 sums[2], *d_sums = (u64 *)device_alloc(sizeof(sums));
    l.strength = d_strength, l.total = (int *)device_copy(strength, bytes);
    long long best = -0x7fffffffffffffffll, now = best + 1;
    int round = 0, low = g->n - g->high - g->mid;
    for (; round < most && now > best; round++) {
        best = now;
        l.community = d_now, l.next = d_next, l.up = round % 2 == 0;
        if (g->high)
            move_high<<<g->high, WIDE_BLOCK>>>(l, d_keys, d_weights, slots);
        if (g->mid)
            move_mid<<<g->mid, WIDE_BLOCK>>>(l, g->high);
        if (low)
            move_low<<<graph_ctas(GROUP * low), GRAPH_BLOCK>>>(l, g->high + g->mid, low);
        move_totals<<<graph_ctas(g->n), GRAPH_BLOCK>>>(l, g->n);
        CHECK(cudaMemset(d_sums, 0, sizeof(sums)));
        modularity<<<graph_ctas(GROUP * g->n), GRAPH_BLOCK>>>(l, g->n, d_sums);
        fetch(sums, d_sums, sizeof(sums));
        now = score(sums, all);
        int *t = d_now;
        d_now = d_next, d_next = t;
    }
    fetch(community, d_now, bytes);
    free_device_graph(&l.g);
    int *ints[] = {d_now, d_next, d_keys, d_weights, d_strength, l.total};
    for (int *d : ints)
        CHECK(cudaFree(d));
    CHECK(cudaFree(d_sums));
    return round;
}

/* One vertex's move on the host; `sum` is all 0 before and after. */
static int host_move(const struct graph *g, int v, const int *community, const int *strength,
                     const long long *total, long long all, int up, long long *sum)
{
    int own = community[v], to = own;
    for (int e = g->start[v]; e < g->start[v + 1]; e++)
        if (g->to[e] != v)
            sum[community[g->to[e]]] += g->weight[e];
    long long gain = all * sum[own] - strength[v] * (total[own] - strength[v]);
    for (int e = g->start[v]; e < g->start[v + 1]; e++) {
        int c = community[g->to[e]];
        if (g->to[e] == v || c == own || (up ? c < own : c > own))
            continue;
        long long its = all * sum[c] - strength[v] * total[c];
        if (its > gain || (its == gain && c < to))
            gain = its, to = c;
    }
    for (int e = g->start[v]; e < g->start[v + 1]; e++)
        sum[community[g->to[e]]] = 0;
    return to;
}

static int host_level(const struct graph *g, const int *strength, long long all, int most, int *community)
{
    int *next = (int *)host_alloc(g->n * sizeof(int)), round = 0;
    long long *sum = (long long *)host_alloc(g->n * sizeof(*sum)),
              *total = (long long *)host_alloc(g->n * sizeof(*total));
    for (int v = 0; v < g->n; v++)
        total[community[v]] += strength[v];
    long long best = -0x7fffffffffffffffll, now = best + 1;
    for (; round < most && now > best; round++) {
        u64 sums[2] = {0, 0};
        best = now;
        for (int v = 0; v < g->n; v++)
            next[v] = host_move(g, v, community, strength, total, all, round % 2 == 0, sum);
        for (int v = 0; v < g->n; v++)
            total[community[v]] -= strength[v], total[next[v]] += strength[v];
        memcpy(community, next, g->n * sizeof(int));
        for (int v = 0; v < g->n; v++) {
            for (int e = g->start[v]; e < g->start[v + 1]; e++)
                sums[0] += community[g->to[e]] == community[v] ? g->weight[e] : 0;
            sums[1] += (u64)total[v] * (u64)total[v];
        }
        now = score(sums, all);
    }
    free(next), free(sum), free(total);
    return round;
}

/* The graph of the communities; parallel edges become one. */
static struct graph contract(const struct graph *g, const int *community)
{
    int *number = (int *)host_alloc(g->n * sizeof(int)), count = 0;
    for (int v = 0; v < g->n; v++)
        number[community[v]] = 1;
    for (int v = 0; v < g->n; v++)
        number[v] = number[v] ? count++ : 0;
    struct edges e = {g->m, (int *)host_alloc(g->m * sizeof(int)), (int *)host_alloc(g->m * sizeof(int)),
                      g->weight};
    for (int v = 0, i = 0; v < g->n; v++)
        for (; i < g->start[v + 1]; i++)
            e.from[i] = number[community[v]], e.to[i] = number[community[g->to[i]]];
    struct graph many = graph_of(count, &e, 0);
    int *place = (int *)host_alloc(count * sizeof(int)), m = 0;
    for (int c = 0; c < count; c++)
        place[c] = -1;
    for (int c = 0, i = 0; c < count; c++) {
        int first = m;
        for (int end = many.start[c + 1]; i < end; i++) {
            int to = many.to[i];
            if (place[to] < first)
                place[to] = m, many.to[m] = to, many.weight[m++] = many.weight[i];
            else
                many.weight[place[to]] += many.weight[i];
        }
        many.start[c] = first;
    }
    many.start[count] = many.m = m;
    graph_classes(&many);
    free(number), free(place), free(e.from), free(e.to);
    return many;
}

int main(int argc, char **argv)
{
    static const int vertices[] = {256, 8192, 262144}, most_rounds[] = {2, 2, 2};
    int size = parse_size(argc, argv), n = vertices[size];
    struct edges e = random_edges(n, 4 * n, 70, 1, 20256);
    struct graph g = graph_of(n, &e, 0);
    free_edges(&e);
    long wrong = 0;
    for (int level = 0; level < LEVELS; level++) {
        int *strength = (int *)host_alloc(g.n * sizeof(int)), *got = (int *)host_alloc(g.n * sizeof(int));
        int *want = (int *)host_alloc(g.n * sizeof(int));
        long long all = 0;
        for (int v = 0; v < g.n; v++) {
            got[v] = want[v] = v;
            for (int i = g.start[v]; i < g.start[v + 1]; i++)
                strength[v] += g.weight[i], all += g.weight[i];
        }
        int rounds = device_level(&g, strength, all, most_rounds[size], got);
        wrong += rounds != host_level(&g, strength, all, most_rounds[size], want);
        for (int v = 0; v < g.n; v++)
            wrong += got[v] != want[v];
        struct graph next = contract(&g, want);
        free_graph(&g);
        g = next;
        free(strength), free(got), free(want);
    }
    free_graph(&g);
    return verdict("louvain", wrong);
}
// SPDX-License-Identifier: Apache-2.0
