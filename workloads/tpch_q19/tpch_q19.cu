/* Discounted revenue, after TPC-H query 19: line items by air whose part's brand and container and whose
 * quantity fit one of three alternatives. A hash table of the parts is built (brand and container in one
 * number), line items probe it and test the alternatives: much divergence, little output. Before that the
 * columns are unpacked (--input compressed) and decoded by warp-specialised kernels, one long warp in
 * four. */
#include "../tables.h"

/* Brand, containers from and to, quantity from and to. */
struct alternative {
    int brand, box_first, box_last, low, high;
};

struct alternatives {
    struct alternative a[3];
};

__global__ void __launch_bounds__(DB_BLOCK)
    note_parts(const int *key, const int *brand, const int *box, int rows, struct db_hash parts)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    if (i < rows)
        parts.values[db_hash_slot(parts, key[i])] = brand[i] << 8 | box[i];
}

__host__ __device__ static inline bool fits(const struct alternative &a, int brand, int box, int quantity)
{
    return brand == a.brand && box >= a.box_first && box <= a.box_last && quantity >= a.low &&
           quantity <= a.high;
}

struct items {
    const int *part, *mode, *quantity, *price, *discount;
    int rows;
};

__global__ void __launch_bounds__(DB_BLOCK)
    add_items(struct items t, struct alternatives alts, struct db_hash parts, u64 *revenue)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    u64 mine = 0;
    if (i < t.rows && t.mode[i] < 2) {
        int part = db_hash_find(parts, t.part[i], 0xffff), quantity = t.quantity[i];
        for (int k = 0; k < 3; k++)
            if (fits(alts.a[k], part >> 8, part & 255, quantity))
                mine = (u64)t.price[i] * (u64)(100 - t.discount[i]);
    }
    db_add_up(mine, revenue);
}

int main(int argc, char **argv)
{
    static const struct alternatives alts = {{{3, 0, 9, 1, 11}, {8, 10, 19, 10, 20}, {14, 20, 35, 20, 30}}};
    static const int orders[2][3] = {{250, 6000, 240000}, {1200, 30000, 300000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed;
    struct tables t = tables_new(orders[plain][size]);
    int *part = item_part(&t), *mode = item_shipmode(&t), *quantity = item_quantity(&t),
        *price = item_price(&t);
    int *discount = item_discount(&t), *key = count_up(t.parts), *brand = part_brand(&t),
        *box = part_container(&t);

    int c_part = db_add(&d, part, t.items, DB_PLAIN), c_mode = db_add(&d, mode, t.items, DB_DICTIONARY);
    int c_quantity = db_add(&d, quantity, t.items, DB_DICTIONARY),
        c_price = db_add(&d, price, t.items, DB_PLAIN);
    int c_discount = db_add(&d, discount, t.items, DB_DICTIONARY), c_key = db_add(&d, key, t.parts, DB_PLAIN);
    int c_brand = db_add(&d, brand, t.parts, DB_DICTIONARY), c_box = db_add(&d, box, t.parts, DB_DICTIONARY);
    u64 got, want = 0, *d_revenue = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    struct items items = {db_numbers(&d, c_part),  db_numbers(&d, c_mode),     db_numbers(&d, c_quantity),
                          db_numbers(&d, c_price), db_numbers(&d, c_discount), t.items};
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash parts = db_hash_new(t.parts);
        db_decode(&d);
        CHECK(cudaMemset(d_revenue, 0, sizeof(got)));
        note_parts<<<db_ctas(t.parts), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_brand),
                                                   db_numbers(&d, c_box), t.parts, parts);
        add_items<<<db_ctas(t.items), DB_BLOCK>>>(items, alts, parts, d_revenue);
        fetch(&got, d_revenue, sizeof(got));
        db_hash_free(&parts);
    }

    for (int i = 0; i < t.items; i++)
        for (int k = 0; k < 3 && mode[i] < 2; k++)
            if (fits(alts.a[k], brand[part[i]], box[part[i]], quantity[i]))
                want += (u64)price[i] * (u64)(100 - discount[i]);
    long wrong = db_check(&d) + (got != want);
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(part), free(mode), free(quantity), free(price), free(discount), free(key), free(brand), free(box);
    return verdict("tpch_q19", wrong);
}
// SPDX-License-Identifier: Apache-2.0
