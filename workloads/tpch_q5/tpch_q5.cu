/* Local suppliers, after TPC-H query 5: revenue by nation of line items whose customer and supplier are of
 * the same nation in one region, ordered in one year. Three hash joins in a row: customers to orders,
 * orders and suppliers to line items. Before that the columns are unpacked (--input compressed) and
 * decoded by warp-specialised kernels, one long warp in four. */
#include "../tables.h"

#define REGION_FIRST 10 /* the region's nations are five in a row */
#define REGION_LAST 14

/* Orders of the year get the customer's nation. */
__global__ void __launch_bounds__(DB_BLOCK)
    pick_orders(const int *key, const int *date, const int *customer, int rows, int from, int to,
                struct db_hash customers, struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i >= rows || date[i] < from || date[i] >= to)
        return;
    int nation = db_hash_find(customers, customer[i], -1);
    if (nation >= REGION_FIRST && nation <= REGION_LAST)
        chosen.values[db_hash_slot(chosen, key[i])] = nation;
}

__global__ void __launch_bounds__(DB_BLOCK)
    add_items(const int *order, const int *supplier, const int *price, const int *discount, int rows,
              struct db_hash orders, struct db_hash suppliers, u64 *revenue)
{
    __shared__ u64 sums[NATIONS];
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    db_group_clear<NATIONS>(sums);
    if (i < rows) {
        int nation = db_hash_find(orders, order[i], -1);
        if (nation >= 0 && db_hash_find(suppliers, supplier[i], -1) == nation)
            atomicAdd(&sums[nation], (u64)price[i] * (u64)(100 - discount[i]));
    }
    db_group_flush<NATIONS>(sums, revenue);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{200, 5000, 150000}, {1000, 30000, 300000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, from = 2 * 365, to = from + 365;
    struct tables t = tables_new(orders[plain][size]);
    int *item_key = item_orderkey(&t), *supplier = item_supplier(&t), *price = item_price(&t);
    int *discount = item_discount(&t), *customer = order_customer(&t), *c_nation = customer_nation(&t);
    int *s_nation = supplier_nation(&t),
        *numbers = count_up(t.customers > t.suppliers ? t.customers : t.suppliers);

    int c_order = db_add(&d, item_key, t.items, DB_PLAIN),
        c_supplier = db_add(&d, supplier, t.items, DB_PLAIN);
    int c_price = db_add(&d, price, t.items, DB_PLAIN),
        c_discount = db_add(&d, discount, t.items, DB_DICTIONARY);
    int c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN),
        c_customer = db_add(&d, customer, t.orders, DB_PLAIN);
    int c_date = db_add(&d, t.order_date, t.orders, DB_DICTIONARY);
    int c_customer_key = db_add(&d, numbers, t.customers, DB_PLAIN),
        c_supplier_key = db_add(&d, numbers, t.suppliers, DB_PLAIN);
    int c_customer_nation = db_add(&d, c_nation, t.customers, DB_DICTIONARY);
    int c_supplier_nation = db_add(&d, s_nation, t.suppliers, DB_DICTIONARY);
    u64 got[NATIONS], want[NATIONS] = {0}, *d_revenue = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash customers = db_hash_new(t.customers), suppliers = db_hash_new(t.suppliers);
        struct db_hash chosen = db_hash_new(t.orders);
        db_decode(&d);
        CHECK(cudaMemset(d_revenue, 0, sizeof(got)));
        build_hash<<<db_ctas(t.customers), DB_BLOCK>>>(
            db_numbers(&d, c_customer_key), db_numbers(&d, c_customer_nation), t.customers, customers);
        build_hash<<<db_ctas(t.suppliers), DB_BLOCK>>>(
            db_numbers(&d, c_supplier_key), db_numbers(&d, c_supplier_nation), t.suppliers, suppliers);
        pick_orders<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_date),
                                                     db_numbers(&d, c_customer), t.orders, from, to,
                                                     customers, chosen);
        add_items<<<db_ctas(t.items), DB_BLOCK>>>(db_numbers(&d, c_order), db_numbers(&d, c_supplier),
                                                  db_numbers(&d, c_price), db_numbers(&d, c_discount),
                                                  t.items, chosen, suppliers, d_revenue);
        fetch(got, d_revenue, sizeof(got));
        db_hash_free(&customers), db_hash_free(&suppliers), db_hash_free(&chosen);
    }

    for (int i = 0; i < t.items; i++) {
        int o = t.item_order[i], nation = c_nation[customer[o]];
        if (t.order_date[o] >= from && t.order_date[o] < to && nation >= REGION_FIRST &&
            nation <= REGION_LAST && s_nation[supplier[i]] == nation)
            want[nation] += (u64)price[i] * (u64)(100 - discount[i]);
    }
    long wrong = db_check(&d) + db_count_wrong(got, want, NATIONS);
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(supplier), free(price), free(discount), free(customer), free(c_nation),
        free(s_nation), free(numbers);
    return verdict("tpch_q5", wrong);
}
// SPDX-License-Identifier: Apache-2.0
