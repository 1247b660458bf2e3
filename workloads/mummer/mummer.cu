/* Exact matches of many short DNA reads in a reference, on its suffix tree. A thread takes one read: from
 * the root it follows the edges letter by letter as far as they match, notes node and length, and goes on
 * from the suffix link for the next position of the read. No shared memory, a moderate number of
 * registers; every lane walks its own way through a tree of megabytes, so that loads scatter, lanes wait
 * for the longest match, and a cache that holds the top of the tree pays. */
#include "../workload.h"

#define BLOCK 256
#define LETTERS 4
#define READ 40 /* bytes between reads, their length and an end mark */
#define END 4   /* matches no letter */
#define SHORTEST 20

/* The edge into the node is reference[start, end); children are 0 where there are none, as the root is
 * nobody's child. The link leads to the node of the same letters without the first; leaves have -1. */
struct node {
    int start, end, link, parent, child[LETTERS];
};

struct match {
    int node, length;
};

__global__ void match_reads(const struct node *__restrict__ nodes,
                            const unsigned char *__restrict__ reference,
                            const unsigned char *__restrict__ reads, const int *__restrict__ lengths,
                            int count, struct match *__restrict__ out)
{
    int r = blockIdx.x * BLOCK + threadIdx.x;
    if (r >= count)
        return;
    const unsigned char *read = reads + (size_t)r * READ;
    struct match *to = out + (size_t)r * READ;
    int positions = lengths[r] - SHORTEST + 1;
    /* `done` letters of the read from `at` on are matched; they end `along` letters below the start of the
     * edge into `node`. */
    int node = 0, along = 0, done = 0;
#pragma unroll 1
    for (int at = 0; at < positions; at++) {
        int start = nodes[node].start, end = nodes[node].end;
        unsigned char letter = read[at + done];
#pragma unroll 1
        while (letter != END) {
            if (start + along == end) {
                int child = nodes[node].child[letter];
                if (!child)
                    break;
                node = child, along = 0;
                start = nodes[node].start, end = nodes[node].end;
            }
            if (reference[start + along] != letter)
                break;
            along++, done++;
            letter = read[at + done];
        }
        to[at].node = node;
        to[at].length = done;

        /* The next suffix: over the link of the last whole node, then down again by edge lengths alone, as
         * every letter of it is known to match. */
        if (!done)
            continue;
        int link = start + along == end ? nodes[node].link : -1, rest = 0;
        if (link < 0) {
            int parent = nodes[node].parent;
            link = nodes[parent].link;
            rest = parent ? along : along - 1;
        }
        node = link;
        start = nodes[node].start, end = nodes[node].end;
        along = end - start;
        done--;
#pragma unroll 1
        while (rest) {
            node = nodes[node].child[read[at + 1 + done - rest]];
            start = nodes[node].start, end = nodes[node].end;
            along = min(rest, end - start);
            rest -= along;
        }
    }
}

/* Ukkonen's construction. An active point (node, edge letter, length) moves through the text; `node` 0 is
 * the root, and every node's link is set when the next one of the same phase is made. The text has no end
 * mark: a suffix that is a prefix of another gets no leaf, and a match needs none. */
struct tree {
    struct node *nodes;
    const unsigned char *text;
    int count, length;
};

static int new_node(struct tree *t, int start, int end, int parent)
{
    struct node *n = &t->nodes[t->count];
    memset(n, 0, sizeof *n);
    n->start = start, n->end = end, n->parent = parent;
    n->link = end == t->length ? -1 : 0;
    return t->count++;
}

static void build_tree(struct tree *t)
{
    int active = 0, edge = 0, along = 0, waiting = 0;
    new_node(t, 0, 0, 0);
    for (int i = 0; i < t->length; i++) {
        int last = 0;
        for (waiting++; waiting > 0;) {
            if (!along)
                edge = i;
            int child = t->nodes[active].child[t->text[edge]];
            if (child) {
                int reach = t->nodes[child].end - t->nodes[child].start;
                if (along >= reach) {
                    edge += reach, along -= reach, active = child;
                    continue;
                }
                if (t->text[t->nodes[child].start + along] == t->text[i]) {
                    if (last)
                        t->nodes[last].link = active;
                    along++;
                    break;
                }
                int middle = new_node(t, t->nodes[child].start, t->nodes[child].start + along, active);
                t->nodes[active].child[t->text[edge]] = middle;
                t->nodes[child].start += along;
                t->nodes[child].parent = middle;
                t->nodes[middle].child[t->text[t->nodes[child].start]] = child;
                t->nodes[middle].child[t->text[i]] = new_node(t, i, t->length, middle);
                if (last)
                    t->nodes[last].link = middle;
                last = middle;
            } else {
                t->nodes[active].child[t->text[edge]] = new_node(t, i, t->length, active);
                if (last)
                    t->nodes[last].link = active;
                last = 0;
            }
            waiting--;
            if (!active && along)
                along--, edge = i - waiting + 1;
            else if (active)
                active = t->nodes[active].link;
        }
    }
}

/* The plain version of the check: a suffix automaton of the reversed reference. Reading a read backwards
 * it gives, at every position, the longest match that starts there. */
struct automaton {
    int (*next)[LETTERS], *link, *longest;
    int count, last;
};

static void extend(struct automaton *a, int letter)
{
    int state = a->count++, p = a->last;
    a->longest[state] = a->longest[p] + 1;
    for (; p >= 0 && !a->next[p][letter]; p = a->link[p])
        a->next[p][letter] = state;
    a->link[state] = 0;
    if (p >= 0) {
        int q = a->next[p][letter];
        if (a->longest[q] != a->longest[p] + 1) {
            int clone = a->count++;
            memcpy(a->next[clone], a->next[q], sizeof a->next[q]);
            a->longest[clone] = a->longest[p] + 1;
            a->link[clone] = a->link[q];
            for (; p >= 0 && a->next[p][letter] == q; p = a->link[p])
                a->next[p][letter] = clone;
            a->link[q] = clone;
            q = clone;
        }
        a->link[state] = q;
    }
    a->last = state;
}

static void build_automaton(struct automaton *a, const unsigned char *text, int length)
{
    a->next = (int(*)[LETTERS])host_alloc(2 * (size_t)length * sizeof *a->next);
    a->link = (int *)host_alloc(2 * (size_t)length * sizeof *a->link);
    a->longest = (int *)host_alloc(2 * (size_t)length * sizeof *a->longest);
    a->count = 1, a->last = 0;
    a->link[0] = -1;
    for (int i = length - 1; i >= 0; i--)
        extend(a, text[i]);
}

/* Lengths must be those of the automaton, and the node must spell the read. */
static long check_read(const struct automaton *a, const struct tree *t, const unsigned char *read, int length,
                       const struct match *got)
{
    long wrong = 0;
    for (int at = length - 1, state = 0, longest = 0; at >= 0; at--) {
        while (state && !a->next[state][read[at]])
            state = a->link[state], longest = a->longest[state];
        if (a->next[state][read[at]])
            state = a->next[state][read[at]], longest++;
        if (at > length - SHORTEST)
            continue;
        if (got[at].length != longest || got[at].node < 0 || got[at].node >= t->count) {
            wrong++;
            continue;
        }
        int above = 0; /* letters between the root and the edge into the node */
        for (int n = t->nodes[got[at].node].parent; n; n = t->nodes[n].parent)
            above += t->nodes[n].end - t->nodes[n].start;
        int from = t->nodes[got[at].node].start - above;
        wrong += longest && (from < 0 || from + longest > t->length || longest <= above ||
                             memcmp(t->text + from, read + at, longest) != 0);
    }
    return wrong;
}

/* Reads are pieces of the reference; half of them have a letter or two changed, as sequencers do. */
static void make_read(const unsigned char *text, int length, unsigned char *read, int *read_length,
                      uint32_t *seed)
{
    int n = 25 + (int)(next_random(seed) % 12), from = (int)(next_random(seed) % (length - n));
    memcpy(read, text + from, n);
    for (uint32_t errors = next_random(seed) % 4; errors > 1; errors--)
        read[next_random(seed) % n] = (unsigned char)(next_random(seed) % LETTERS);
    read[n] = END;
    *read_length = n;
}

int main(int argc, char **argv)
{
    static const int references[] = {3000, 200000, 1000000}, counts[] = {512, 26000, 400000};
    int length = 0;
    const struct choice options[] = {{"reference", NULL, &length}}; /* letters, instead of the size's */
    int size = parse_args(argc, argv, options, 1), count = counts[size];
    struct tree t = {NULL, NULL, 0, length ? length : references[size]};
    unsigned char *text = (unsigned char *)host_alloc(t.length + 1);
    uint32_t seed = 25;
    for (int i = 0; i < t.length; i++)
        text[i] = (unsigned char)(next_random(&seed) % LETTERS);
    t.text = text;
    t.nodes = (struct node *)host_alloc((2 * (size_t)t.length + 2) * sizeof *t.nodes);
    build_tree(&t);

    unsigned char *reads = (unsigned char *)host_alloc((size_t)count * READ);
    int *lengths = (int *)host_alloc(count * sizeof *lengths);
    size_t bytes = (size_t)count * READ * sizeof(struct match);
    struct match *got = (struct match *)host_alloc(bytes);
    for (int i = 0; i < count; i++)
        make_read(text, t.length, reads + (size_t)i * READ, &lengths[i], &seed);
    struct node *d_nodes = (struct node *)device_copy(t.nodes, t.count * sizeof *t.nodes);
    unsigned char *d_text = (unsigned char *)device_copy(text, t.length);
    unsigned char *d_reads = (unsigned char *)device_copy(reads, (size_t)count * READ);
    int *d_lengths = (int *)device_copy(lengths, count * sizeof *lengths);
    struct match *d_out = (struct match *)device_alloc(bytes);
    CHECK(cudaMemset(d_out, 0, bytes));
    match_reads<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(d_nodes, d_text, d_reads, d_lengths, count, d_out);
    fetch(got, d_out, bytes);

    struct automaton a;
    build_automaton(&a, text, t.length);
    long wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += check_read(&a, &t, reads + (size_t)i * READ, lengths[i], got + (size_t)i * READ);
    CHECK(cudaFree(d_nodes));
    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_reads));
    CHECK(cudaFree(d_lengths));
    CHECK(cudaFree(d_out));
    free(text), free(t.nodes), free(reads), free(lengths), free(got);
    free(a.next), free(a.link), free(a.longest);
    return verdict("mummer", wrong);
}
// SPDX-License-Identifier: Apache-2.0
