/* Forecast of revenue, after TPC-H query 6: the sum of price times discount over the line items of one
 * year with a small quantity and a medium discount. One kernel unpacks (--input compressed), decodes and
 * filters, a CTA a row group of four columns: warp 0 decodes, the helpers fetch before and filter after.
 * One long warp in four, and no balanced work to hide it. */
#include "../fused.h"

#define COLUMNS 4

template <bool PACKED>
__global__ void __launch_bounds__(RLE_BLOCK)
    filter_groups(struct fused_table t, int from, int to, u64 *revenue)
{
    __shared__ struct fused_rows<COLUMNS> s;
    int rows = fused_load<COLUMNS, PACKED>(t, &s);
    if (threadIdx.x < 32)
        return;
    u64 sum = 0;
#pragma unroll 1
    for (int i = (int)threadIdx.x - 32; i < rows; i += RLE_HELPERS) {
        int day = s.number[0][i], discount = s.number[1][i];
        if (day >= from && day < to && discount >= 5 && discount <= 7 && s.number[2][i] < 24)
            sum += (u64)s.number[3][i] * (u64)discount;
    }
    db_add_up(sum, revenue);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{250, 14000, 180000}, {1200, 40000, 400000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 3}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, from = 2 * 365, to = from + 365;
    struct tables t = tables_new(orders[plain][size]);
    int *shipdate = item_shipdate(&t), *discount = item_discount(&t), *quantity = item_quantity(&t),
        *price = item_price(&t);
    db_add(&d, shipdate, t.items, DB_PLAIN);
    db_add(&d, discount, t.items, DB_DICTIONARY);
    db_add(&d, quantity, t.items, DB_DICTIONARY);
    db_add(&d, price, t.items, DB_PLAIN);
    db_upload(&d);
    struct fused_table table = fused_table(&d);
    u64 got, want = 0, *d_revenue = (u64 *)device_alloc(sizeof(got));
    for (int r = 0; r < repeats[plain][size]; r++) {
        CHECK(cudaMemset(d_revenue, 0, sizeof(got)));
        if (plain)
            filter_groups<false><<<table.groups, RLE_BLOCK>>>(table, from, to, d_revenue);
        else
            filter_groups<true><<<table.groups, RLE_BLOCK>>>(table, from, to, d_revenue);
        fetch(&got, d_revenue, sizeof(got));
    }
    for (int i = 0; i < t.items; i++)
        if (shipdate[i] >= from && shipdate[i] < to && discount[i] >= 5 && discount[i] <= 7 &&
            quantity[i] < 24)
            want += (u64)price[i] * (u64)discount[i];
    CHECK(cudaFree(d_revenue));
    db_free(&d);
    tables_free(&t);
    free(shipdate), free(discount), free(quantity), free(price);
    return verdict("q6_filter", got != want);
}
// SPDX-License-Identifier: Apache-2.0
