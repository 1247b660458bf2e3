/* Market share, after TPC-H query 8: what one nation's suppliers have of the revenue with parts of some
 * types in one region, by year. Four hash joins: parts, orders (those of two years, by customers of the
 * region) and suppliers against line items. Before that the columns are unpacked (--input compressed) and
 * decoded by warp-specialised kernels, one long warp in four. */
#include "../tables.h"

#define YEARS 2
#define FIRST_DAY (3 * 365)
#define TYPES 15 /* types below are asked for */
#define REGION_FIRST 5
#define REGION_LAST 9
#define NATION 7

__global__ void __launch_bounds__(DB_BLOCK)
    pick_parts(const int *key, const int *type, int rows, struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows && type[i] < TYPES)
        db_hash_slot(chosen, key[i]);
}

/* Orders get their year. */
__global__ void __launch_bounds__(DB_BLOCK)
    pick_orders(const int *key, const int *date, const int *customer, int rows, struct db_hash customers,
                struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    int day = i < rows ? date[i] - FIRST_DAY : -1;
    if (day < 0 || day >= YEARS * 365)
        return;
    int nation = db_hash_find(customers, customer[i], -1);
    if (nation >= REGION_FIRST && nation <= REGION_LAST)
        chosen.values[db_hash_slot(chosen, key[i])] = day / 365;
}

struct items {
    const int *order, *part, *supplier, *price, *discount;
    int rows;
};

__global__ void __launch_bounds__(DB_BLOCK)
    add_items(struct items t, struct db_hash parts, struct db_hash orders, struct db_hash suppliers,
              u64 *revenue)
{
    __shared__ u64 sums[2 * YEARS];
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    db_group_clear<2 * YEARS>(sums);
    if (i < t.rows && db_hash_find(parts, t.part[i], -1) >= 0) {
        int year = db_hash_find(orders, t.order[i], -1);
        if (year >= 0) {
            int ours = db_hash_find(suppliers, t.supplier[i], -1) == NATION;
            atomicAdd(&sums[2 * year + ours], (u64)t.price[i] * (u64)(100 - t.discount[i]));
        }
    }
    db_group_flush<2 * YEARS>(sums, revenue);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{160, 4000, 140000}, {1000, 25000, 250000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed;
    struct tables t = tables_new(orders[plain][size]);
    int *item_key = item_orderkey(&t), *part = item_part(&t), *supplier = item_supplier(&t),
        *price = item_price(&t);
    int *discount = item_discount(&t), *customer = order_customer(&t), *c_nation = customer_nation(&t);
    int *s_nation = supplier_nation(&t), *type = part_type(&t),
        *numbers = count_up(t.parts + t.customers + t.suppliers);

    int c_order = db_add(&d, item_key, t.items, DB_PLAIN), c_part = db_add(&d, part, t.items, DB_PLAIN);
    int c_supplier = db_add(&d, supplier, t.items, DB_PLAIN), c_price = db_add(&d, price, t.items, DB_PLAIN);
    int c_discount = db_add(&d, discount, t.items, DB_DICTIONARY),
        c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN);
    int c_customer = db_add(&d, customer, t.orders, DB_PLAIN),
        c_date = db_add(&d, t.order_date, t.orders, DB_DICTIONARY);
    int c_customer_key = db_add(&d, numbers, t.customers, DB_PLAIN),
        c_supplier_key = db_add(&d, numbers, t.suppliers, DB_PLAIN);
    int c_customer_nation = db_add(&d, c_nation, t.customers, DB_DICTIONARY);
    int c_supplier_nation = db_add(&d, s_nation, t.suppliers, DB_DICTIONARY);
    int c_part_key = db_add(&d, numbers, t.parts, DB_PLAIN),
        c_type = db_add(&d, type, t.parts, DB_DICTIONARY);
    u64 got[2 * YEARS], want[2 * YEARS] = {0}, *d_revenue = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    struct items items = {db_numbers(&d, c_order), db_numbers(&d, c_part),     db_numbers(&d, c_supplier),
                          db_numbers(&d, c_price), db_numbers(&d, c_discount), t.items};
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash customers = db_hash_new(t.customers), suppliers = db_hash_new(t.suppliers);
        struct db_hash parts = db_hash_new(t.parts), chosen = db_hash_new(t.orders);
        db_decode(&d);
        CHECK(cudaMemset(d_revenue, 0, sizeof(got)));
        build_hash<<<db_ctas(t.customers), DB_BLOCK>>>(
            db_numbers(&d, c_customer_key), db_numbers(&d, c_customer_nation), t.customers, customers);
        build_hash<<<db_ctas(t.suppliers), DB_BLOCK>>>(
            db_numbers(&d, c_supplier_key), db_numbers(&d, c_supplier_nation), t.suppliers, suppliers);
        pick_parts<<<db_ctas(t.parts), DB_BLOCK>>>(db_numbers(&d, c_part_key), db_numbers(&d, c_type),
                                                   t.parts, parts);
        pick_orders<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_date),
                                                     db_numbers(&d, c_customer), t.orders, customers, chosen);
        add_items<<<db_ctas(t.items), DB_BLOCK>>>(items, parts, chosen, suppliers, d_revenue);
        fetch(got, d_revenue, sizeof(got));
        db_hash_free(&customers), db_hash_free(&suppliers), db_hash_free(&parts), db_hash_free(&chosen);
    }

    for (int i = 0; i < t.items; i++) {
        int o = t.item_order[i], nation = c_nation[customer[o]], day = t.order_date[o] - FIRST_DAY;
        if (type[part[i]] < TYPES && day >= 0 && day < YEARS * 365 && nation >= REGION_FIRST &&
            nation <= REGION_LAST)
            want[2 * (day / 365) + (s_nation[supplier[i]] == NATION)] +=
                (u64)price[i] * (u64)(100 - discount[i]);
    }
    long wrong = db_check(&d) + db_count_wrong(got, want, 2 * YEARS);
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(part), free(supplier), free(price), free(discount), free(customer), free(c_nation),
        free(s_nation);
    free(type), free(numbers);
    return verdict("tpch_q8", wrong);
}
// SPDX-License-Identifier: Apache-2.0
