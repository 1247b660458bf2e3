/* Ship modes and priorities, after TPC-H query 12: late line items of two ship modes, received in one
 * year, counted by mode and by whether the order is urgent. A hash table of the orders' priorities is
 * built, line items that pass the filter probe it. Before that the columns are unpacked (--input
 * compressed) and decoded by warp-specialised kernels, one long warp in four. */
#include "../tables.h"

#define MODES 7

struct items {
    const int *order, *ship, *commit, *receipt, *mode;
    int rows;
};

__global__ void __launch_bounds__(DB_BLOCK)
    count_items(struct items t, int from, int to, struct db_hash orders, u64 *counts)
{
    __shared__ u64 sums[2 * MODES];
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    db_group_clear<2 * MODES>(sums);
    if (i < t.rows && (t.mode[i] == 2 || t.mode[i] == 5) && t.receipt[i] >= from && t.receipt[i] < to) {
        int commit = t.commit[i];
        if (commit < t.receipt[i] && t.ship[i] < commit)
            atomicAdd(&sums[2 * t.mode[i] + (db_hash_find(orders, t.order[i], 0) < 2)], 1ull);
    }
    db_group_flush<2 * MODES>(sums, counts);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{200, 5000, 120000}, {1000, 30000, 300000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, from = 2 * 365, to = from + 365;
    struct tables t = tables_new(orders[plain][size]);
    int *item_key = item_orderkey(&t), *ship = item_shipdate(&t), *commit = item_commitdate(&t);
    int *receipt = item_receiptdate(&t), *mode = item_shipmode(&t), *priority = order_priority(&t);

    int c_order = db_add(&d, item_key, t.items, DB_PLAIN), c_ship = db_add(&d, ship, t.items, DB_PLAIN);
    int c_commit = db_add(&d, commit, t.items, DB_PLAIN), c_receipt = db_add(&d, receipt, t.items, DB_PLAIN);
    int c_mode = db_add(&d, mode, t.items, DB_DICTIONARY),
        c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN);
    int c_priority = db_add(&d, priority, t.orders, DB_DICTIONARY);
    u64 got[2 * MODES], want[2 * MODES] = {0}, *d_counts = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    struct items items = {db_numbers(&d, c_order),   db_numbers(&d, c_ship), db_numbers(&d, c_commit),
                          db_numbers(&d, c_receipt), db_numbers(&d, c_mode), t.items};
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash by_key = db_hash_new(t.orders);
        db_decode(&d);
        CHECK(cudaMemset(d_counts, 0, sizeof(got)));
        build_hash<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_priority),
                                                    t.orders, by_key);
        count_items<<<db_ctas(t.items), DB_BLOCK>>>(items, from, to, by_key, d_counts);
        fetch(got, d_counts, sizeof(got));
        db_hash_free(&by_key);
    }

    for (int i = 0; i < t.items; i++)
        if ((mode[i] == 2 || mode[i] == 5) && receipt[i] >= from && receipt[i] < to &&
            commit[i] < receipt[i] && ship[i] < commit[i])
            want[2 * mode[i] + (priority[t.item_order[i]] < 2)]++;
    long wrong = db_check(&d) + db_count_wrong(got, want, 2 * MODES);
    CHECK(cudaFree(d_counts));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(ship), free(commit), free(receipt), free(mode), free(priority);
    return verdict("tpch_q12", wrong);
}
// SPDX-License-Identifier: Apache-2.0
