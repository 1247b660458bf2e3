/* Promotion effect, after TPC-H query 14: what part of a month's revenue comes from parts of a promoted
 * type. A hash table of the parts is built, line items of the month probe it. Before that the columns are
 * unpacked (--input compressed) and decoded by warp-specialised kernels, one long warp in four. */
#include "../tables.h"

#define PROMOTED 25 /* types below are promoted */

__global__ void probe(const int *part, const int *shipdate, const int *price, const int *discount, int rows,
                      int from, int to, struct db_hash parts, u64 *revenue)
{
    int i = blockIdx.x * DB_BLOCK + threadIdx.x;
    u64 all = 0, promoted = 0;
    if (i < rows && shipdate[i] >= from && shipdate[i] < to) {
        all = (u64)price[i] * (u64)(100 - discount[i]);
        promoted = db_hash_find(parts, part[i], PROMOTED) < PROMOTED ? all : 0;
    }
    db_add_up(promoted, &revenue[0]);
    db_add_up(all, &revenue[1]);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{250, 6000, 150000}, {1500, 40000, 400000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, from = 3 * 365, to = from + 90;
    struct tables t = tables_new(orders[plain][size]);
    int *part = item_part(&t), *shipdate = item_shipdate(&t), *price = item_price(&t),
        *discount = item_discount(&t);
    int *key = count_up(t.parts), *type = part_type(&t);

    int c_part = db_add(&d, part, t.items, DB_PLAIN), c_shipdate = db_add(&d, shipdate, t.items, DB_PLAIN);
    int c_price = db_add(&d, price, t.items, DB_PLAIN),
        c_discount = db_add(&d, discount, t.items, DB_DICTIONARY);
    int c_key = db_add(&d, key, t.parts, DB_PLAIN), c_type = db_add(&d, type, t.parts, DB_DICTIONARY);
    u64 got[2], want[2] = {0, 0}, *d_revenue = (u64 *)device_alloc(sizeof(got));
    db_upload(&d);
    for (int r = 0; r < repeats[plain][size]; r++) {
        struct db_hash parts = db_hash_new(t.parts);
        db_decode(&d);
        CHECK(cudaMemset(d_revenue, 0, sizeof(got)));
        build_hash<<<db_ctas(t.parts), DB_BLOCK>>>(db_numbers(&d, c_key), db_numbers(&d, c_type), t.parts,
                                                   parts);
        probe<<<db_ctas(t.items), DB_BLOCK>>>(db_numbers(&d, c_part), db_numbers(&d, c_shipdate),
                                              db_numbers(&d, c_price), db_numbers(&d, c_discount), t.items,
                                              from, to, parts, d_revenue);
        fetch(got, d_revenue, sizeof(got));
        db_hash_free(&parts);
    }

    long wrong = db_check(&d);
    for (int i = 0; i < t.items; i++)
        if (shipdate[i] >= from && shipdate[i] < to) {
            u64 revenue = (u64)price[i] * (u64)(100 - discount[i]);
            want[0] += type[part[i]] < PROMOTED ? revenue : 0;
            want[1] += revenue;
        }
    wrong += db_count_wrong(got, want, 2);
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(part), free(shipdate), free(price), free(discount), free(key), free(type);
    return verdict("tpch_q14", wrong);
}
// SPDX-License-Identifier: Apache-2.0
