/* Profit by kind of part, after TPC-H query 9: revenue less cost of line items with parts of some types,
 * by the supplier's nation and by year. Hash joins of parts, suppliers, the costs of a part at a supplier,
 * and all orders against line items. Before that the columns are unpacked (--input compressed) and decoded
 * by warp-specialised kernels, one long warp in four. */
#include "../tables.h"

#define YEARS 7
#define TYPES 10 /* types below are asked for */
#define GROUPS (NATIONS * YEARS)

__global__ void __launch_bounds__(DB_BLOCK)
    pick_parts(const int *key, const int *type, int rows, struct db_hash chosen)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows && type[i] < TYPES)
        db_hash_slot(chosen, key[i]);
}

/* The cost by part and supplier together. */
__global__ void __launch_bounds__(DB_BLOCK) note_costs(const int *part, const int *supplier, const int *cost,
                                                       int rows, int suppliers, struct db_hash costs)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows)
        costs.values[db_hash_slot(costs, part[i] * suppliers + supplier[i])] = cost[i];
}

struct items {
    const int *order, *part, *supplier, *quantity, *price, *discount;
    int rows, suppliers;
};

struct joins {
    struct db_hash parts, suppliers, costs, dates;
};

__global__ void __launch_bounds__(DB_BLOCK) add_items(struct items t, struct joins j, u64 *profit)
{
    __shared__ u64 sums[GROUPS];
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    db_group_clear<GROUPS>(sums);
    if (i < t.rows && db_hash_find(j.parts, t.part[i], -1) >= 0) {
        int supplier = t.supplier[i], nation = db_hash_find(j.suppliers, supplier, 0);
        int cost = db_hash_find(j.costs, t.part[i] * t.suppliers + supplier, 0);
        int year = db_hash_find(j.dates, t.order[i], 0) / 365;
        u64 revenue = (u64)t.price[i] * (u64)(100 - t.discount[i]);
        atomicAdd(&sums[nation * YEARS + year], revenue - (u64)cost * (u64)(100 * t.quantity[i]));
    }
    db_group_flush<GROUPS>(sums, profit);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{150, 3500, 120000}, {800, 20000, 200000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed;
    struct tables t = tables_new(orders[plain][size]);
    int offers = SUPPLIERS_PER_PART * t.parts;
    int *item_key = item_orderkey(&t), *part = item_part(&t), *supplier = item_supplier(&t),
        *price = item_price(&t);
    int *quantity = item_quantity(&t), *discount = item_discount(&t), *nation = supplier_nation(&t),
        *type = part_type(&t);
    int *numbers = count_up(t.parts + t.suppliers), *cost = table_random(offers, 10000, 50000, 118);
    int *offer_part = (int *)host_alloc(offers * sizeof(int)),
        *offer_supplier = (int *)host_alloc(offers * sizeof(int));
    for (int i = 0; i < offers; i++) {
        offer_part[i] = i / SUPPLIERS_PER_PART;
        offer_supplier[i] = part_supplier(&t, offer_part[i], i % SUPPLIERS_PER_PART);
    }

    int c_order = db_add(&d, item_key, t.items, DB_PLAIN), c_part = db_add(&d, part, t.items, DB_PLAIN);
    int c_supplier = db_add(&d, supplier, t.items, DB_PLAIN), c_price = db_add(&d, price, t.items, DB_PLAIN);
    int c_quantity = db_add(&d, quantity, t.items, DB_DICTIONARY),
        c_discount = db_add(&d, discount, t.items, DB_DICTIONARY);
    int c_key = db_add(&d, t.order_key, t.orders, DB_PLAIN),
        c_date = db_add(&d, t.order_date, t.orders, DB_DICTIONARY);
    int c_supplier_key = db_add(&d, numbers, t.suppliers, DB_PLAIN),
        c_nation = db_add(&d, nation, t.suppliers, DB_DICTIONARY);
    int c_part_key = db_add(&d, numbers, t.parts, DB_PLAIN),
        c_type = db_add(&d, type, t.parts, DB_DICTIONARY);
    int c_offer_part = db_add(&d, offer_part, offers, DB_PLAIN), c_cost = db_add(&d, cost, offers, DB_PLAIN);
    int c_offer_supplier = db_add(&d, offer_supplier, offers, DB_PLAIN);
    u64 got[GROUPS], want[GROUPS] = {0}, *d_profit = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    struct items items = {db_numbers(&d, c_order),
                          db_numbers(&d, c_part),
                          db_numbers(&d, c_supplier),
                          db_numbers(&d, c_quantity),
                          db_numbers(&d, c_price),
                          db_numbers(&d, c_discount),
                          t.items,
                          t.suppliers};
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct joins j = {db_hash_new(t.parts), db_hash_new(t.suppliers), db_hash_new(offers),
                          db_hash_new(t.orders)};
        db_decode(&d);
        CHECK(cudaMemset(d_profit, 0, sizeof(got)));
        pick_parts<<<db_ctas(t.parts), DB_BLOCK>>>(db_numbers(&d, c_part_key), db_numbers(&d, c_type),
                                                   t.parts, j.parts);
        build_hash<<<db_ctas(t.suppliers), DB_BLOCK>>>(db_numbers(&d, c_supplier_key),
                                                       db_numbers(&d, c_nation), t.suppliers, j.suppliers);
        note_costs<<<db_ctas(offers), DB_BLOCK>>>(db_numbers(&d, c_offer_part),
                                                  db_numbers(&d, c_offer_supplier), db_numbers(&d, c_cost),
                                                  offers, t.suppliers, j.costs);
        build_hash<<<db_ctas(t.orders), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_date), t.orders,
                                                    j.dates);
        add_items<<<db_ctas(t.items), DB_BLOCK>>>(items, j, d_profit);
        fetch(got, d_profit, sizeof(got));
        db_hash_free(&j.parts), db_hash_free(&j.suppliers), db_hash_free(&j.costs), db_hash_free(&j.dates);
    }

    for (int i = 0; i < t.items; i++) {
        int which = 0;
        if (type[part[i]] >= TYPES)
            continue;
        while (offer_supplier[part[i] * SUPPLIERS_PER_PART + which] != supplier[i])
            which++;
        u64 costs = (u64)cost[part[i] * SUPPLIERS_PER_PART + which] * (u64)(100 * quantity[i]);
        want[nation[supplier[i]] * YEARS + t.order_date[t.item_order[i]] / 365] +=
            (u64)price[i] * (u64)(100 - discount[i]) - costs;
    }
    long wrong = db_check(&d) + db_count_wrong(got, want, GROUPS);
    CHECK(cudaFree(d_profit));
    db_free(&d);
    tables_free(&t);
    free(item_key), free(part), free(supplier), free(price), free(quantity), free(discount), free(nation),
        free(type);
    free(numbers), free(cost), free(offer_part), free(offer_supplier);
    return verdict("tpch_q9", wrong);
}
// SPDX-License-Identifier: Apache-2.0
