/* Shipping priority, after TPC-H query 3: the revenue of each order of a market segment that was placed
 * before a day and has items shipped after it. Customers of the segment go into a hash set, orders that
 * find theirs into a second table, line items probe that one and add to their order's revenue. Before that
 * the columns are unpacked (--input compressed) and decoded by warp-specialised kernels, one long warp in
 * four. */
#include "../tables.h"

#define SEGMENT 1
#define DAY (3 * 365)

__global__ void __launch_bounds__(DB_BLOCK)
    pick_customers(const int *key, const int *segment, int rows, struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows && segment[i] == SEGMENT)
        db_hash_slot(chosen, key[i]);
}

/* The value is the order's row and 1. */
__global__ void __launch_bounds__(DB_BLOCK)
    pick_orders(const int *key, const int *date, const int *customer, int rows, struct db_hash customers,
                struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows && date[i] < DAY && db_hash_find(customers, customer[i], -1) >= 0)
        chosen.values[db_hash_slot(chosen, key[i])] = i + 1;
}

__global__ void __launch_bounds__(DB_BLOCK)
    add_items(const int *order, const int *ship, const int *price, const int *discount, int rows,
              struct db_hash orders, u64 *revenue)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i >= rows || ship[i] <= DAY)
        return;
    int row = db_hash_find(orders, order[i], 0);
    if (row)
        atomicAdd(&revenue[row - 1], (u64)price[i] * (u64)(100 - discount[i]));
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{200, 5000, 120000}, {1000, 30000, 300000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed;
    struct tables t = tables_new(orders[plain][size]);
    int *item_key = item_orderkey(&t), *ship = item_shipdate(&t), *price = item_price(&t),
        *discount = item_discount(&t);
    int *customer = order_customer(&t), *customer_key = count_up(t.customers),
        *segment = customer_segment(&t);

    int c_order = db_add(&d, item_key, t.items, DB_PLAIN), c_ship = db_add(&d, ship, t.items, DB_PLAIN);
    int c_price = db_add(&d, price, t.items, DB_PLAIN),
        c_discount = db_add(&d, discount, t.items, DB_DICTIONARY);
    int c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN),
        c_customer = db_add(&d, customer, t.orders, DB_PLAIN);
    int c_date = db_add(&d, t.order_date, t.orders, DB_DICTIONARY);
    int c_customer_key = db_add(&d, customer_key, t.customers, DB_PLAIN);
    int c_segment = db_add(&d, segment, t.customers, DB_DICTIONARY);
    size_t bytes = t.orders * sizeof(u64);
    u64 *got = (u64 *)host_alloc(bytes), *want = (u64 *)host_alloc(bytes),
        *d_revenue = (u64 *)device_alloc(bytes);
    db_upload(&d);
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash customers = db_hash_new(t.customers), chosen = db_hash_new(t.orders);
        db_decode(&d);
        CHECK(cudaMemset(d_revenue, 0, bytes));
        pick_customers<<<db_ctas(t.customers), DB_BLOCK>>>(db_numbers(&d, c_customer_key),
                                                           db_numbers(&d, c_segment), t.customers, customers);
        pick_orders<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_date),
                                                     db_numbers(&d, c_customer), t.orders, customers, chosen);
        add_items<<<db_ctas(t.items), DB_BLOCK>>>(db_numbers(&d, c_order), db_numbers(&d, c_ship),
                                                  db_numbers(&d, c_price), db_numbers(&d, c_discount),
                                                  t.items, chosen, d_revenue);
        fetch(got, d_revenue, bytes);
        db_hash_free(&customers), db_hash_free(&chosen);
    }

    for (int i = 0; i < t.items; i++) {
        int o = t.item_order[i];
        if (ship[i] > DAY && t.order_date[o] < DAY && segment[customer[o]] == SEGMENT)
            want[o] += (u64)price[i] * (u64)(100 - discount[i]);
    }
    long wrong = db_check(&d) + db_count_wrong(got, want, t.orders);
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(ship), free(price), free(discount), free(customer), free(customer_key),
        free(segment);
    free(got), free(want);
    return verdict("tpch_q3", wrong);
}
// SPDX-License-Identifier: Apache-2.0
