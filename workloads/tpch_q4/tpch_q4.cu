/* Order priorities, after TPC-H query 4: orders of a quarter of which at least one line item came late,
 * counted by priority. Late line items put their order's key into a hash set, the orders look themselves
 * up. Before that the columns are unpacked (--input compressed) and decoded by warp-specialised kernels,
 * one long warp in four. */
#include "../tables.h"

#define PRIORITIES 5

__global__ void __launch_bounds__(DB_BLOCK)
    note_late(const int *order, const int *commit, const int *receipt, int rows, struct db_hash late)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows && commit[i] < receipt[i])
        late.values[db_hash_slot(late, order[i])] = 1;
}

__global__ void __launch_bounds__(DB_BLOCK)
    count_orders(const int *key, const int *date, const int *priority, int rows, int from, int to,
                 struct db_hash late, u64 *counts)
{
    __shared__ u64 sums[PRIORITIES];
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    db_group_clear<PRIORITIES>(sums);
    if (i < rows && date[i] >= from && date[i] < to && db_hash_find(late, key[i], 0))
        atomicAdd(&sums[priority[i]], 1ull);
    db_group_flush<PRIORITIES>(sums, counts);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{250, 6000, 150000}, {1500, 40000, 400000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, from = 3 * 365, to = from + 90;
    struct tables t = tables_new(orders[plain][size]);
    int *item_key = item_orderkey(&t), *commit = item_commitdate(&t), *receipt = item_receiptdate(&t);
    int *priority = order_priority(&t);

    int c_item = db_add(&d, item_key, t.items, DB_PLAIN), c_commit = db_add(&d, commit, t.items, DB_PLAIN);
    int c_receipt = db_add(&d, receipt, t.items, DB_PLAIN),
        c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN);
    int c_date = db_add(&d, t.order_date, t.orders, DB_DICTIONARY);
    int c_priority = db_add(&d, priority, t.orders, DB_DICTIONARY);
    u64 got[PRIORITIES], want[PRIORITIES] = {0}, *d_counts = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash late = db_hash_new(t.orders);
        db_decode(&d);
        CHECK(cudaMemset(d_counts, 0, sizeof(got)));
        note_late<<<db_ctas(t.items), DB_BLOCK>>>(db_numbers(&d, c_item), db_numbers(&d, c_commit),
                                                  db_numbers(&d, c_receipt), t.items, late);
        count_orders<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_date),
                                                      db_numbers(&d, c_priority), t.orders, from, to, late,
                                                      d_counts);
        fetch(got, d_counts, sizeof(got));
        db_hash_free(&late);
    }

    char *is_late = (char *)host_alloc(t.orders);
    for (int i = 0; i < t.items; i++)
        is_late[t.item_order[i]] |= commit[i] < receipt[i];
    for (int o = 0; o < t.orders; o++)
        want[priority[o]] += t.order_date[o] >= from && t.order_date[o] < to && is_late[o];
    long wrong = db_check(&d) + db_count_wrong(got, want, PRIORITIES);
    CHECK(cudaFree(d_counts));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(commit), free(receipt), free(priority), free(is_late);
    return verdict("tpch_q4", wrong);
}
// SPDX-License-Identifier: Apache-2.0
