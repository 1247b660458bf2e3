/* Pricing summary, after TPC-H query 1: sums of quantity, price, discounted price and charge, and counts,
 * of the line items shipped up to a day, by return flag and status. One kernel unpacks (--input
 * compressed), decodes and aggregates, a CTA a row group of seven columns: warp 0 decodes, the helpers
 * fetch before and add up after, in shared memory. One long warp in four. */
#include "../fused.h"

#define COLUMNS 7
#define GROUPS 6
#define SUMS 5

template <bool PACKED>
__global__ void __launch_bounds__(RLE_BLOCK) aggregate_groups(struct fused_table t, int last_day, u64 *all)
{
    __shared__ struct fused_rows<COLUMNS> s;
    __shared__ u64 sums[GROUPS * SUMS];
    if (threadIdx.x < GROUPS * SUMS)
        sums[threadIdx.x] = 0;
    int rows = fused_load<COLUMNS, PACKED>(t, &s); /* ends with a barrier */
    if (threadIdx.x >= 32) {
#pragma unroll 1
        for (int i = (int)threadIdx.x - 32; i < rows; i += RLE_HELPERS) {
            if (s.number[0][i] > last_day)
                continue;
            u64 *group = &sums[(s.number[1][i] * 2 + s.number[2][i]) * SUMS];
            u64 net = (u64)s.number[4][i] * (u64)(100 - s.number[5][i]);
            atomicAdd(&group[0], (u64)s.number[3][i]);
            atomicAdd(&group[1], (u64)s.number[4][i]);
            atomicAdd(&group[2], net);
            atomicAdd(&group[3], net * (u64)(100 + s.number[6][i]));
            atomicAdd(&group[4], 1ull);
        }
    }
    __syncthreads();
    if (threadIdx.x < GROUPS * SUMS)
        atomicAdd(&all[threadIdx.x], sums[threadIdx.x]);
}

int main(int argc, char **argv)
{
    static const int orders[2][3] = {{200, 14000, 150000}, {800, 25000, 300000}},
                     repeats[2][3] = {{1, 1, 1}, {1, 1, 2}};
    struct db d;
    int size = db_args(argc, argv, &d), plain = !d.compressed, last_day = DAYS - 90;
    struct tables t = tables_new(orders[plain][size]);
    int *shipdate = item_shipdate(&t), *flag = table_random(t.items, 0, 2, 119),
        *status = table_random(t.items, 0, 1, 120);
    int *quantity = item_quantity(&t), *price = item_price(&t), *discount = item_discount(&t),
        *tax = item_tax(&t);
    for (int i = 0; i < t.items; i++) /* what was shipped late in the seven years is open, and not returned */
        if (shipdate[i] > 5 * 365)
            flag[i] = 1, status[i] = 1;
    db_add(&d, shipdate, t.items, DB_PLAIN);
    db_add(&d, flag, t.items, DB_DICTIONARY);
    db_add(&d, status, t.items, DB_DICTIONARY);
    db_add(&d, quantity, t.items, DB_DICTIONARY);
    db_add(&d, price, t.items, DB_PLAIN);
    db_add(&d, discount, t.items, DB_DICTIONARY);
    db_add(&d, tax, t.items, DB_DICTIONARY);
    db_upload(&d);
    struct fused_table table = fused_table(&d);
    u64 got[GROUPS * SUMS], want[GROUPS * SUMS] = {0}, *d_sums = (u64 *)device_alloc(sizeof(got));
    for (int r = 0; r < repeats[plain][size]; r++) {
        CHECK(cudaMemset(d_sums, 0, sizeof(got)));
        if (plain)
            aggregate_groups<false><<<table.groups, RLE_BLOCK>>>(table, last_day, d_sums);
        else
            aggregate_groups<true><<<table.groups, RLE_BLOCK>>>(table, last_day, d_sums);
        fetch(got, d_sums, sizeof(got));
    }
    for (int i = 0; i < t.items; i++) {
        if (shipdate[i] > last_day)
            continue;
        u64 *group = &want[(flag[i] * 2 + status[i]) * SUMS], net = (u64)price[i] * (u64)(100 - discount[i]);
        group[0] += (u64)quantity[i], group[1] += (u64)price[i], group[2] += net;
        group[3] += net * (u64)(100 + tax[i]), group[4]++;
    }
    CHECK(cudaFree(d_sums));
    db_free(&d);
    tables_free(&t);
    free(shipdate), free(flag), free(status), free(quantity), free(price), free(discount), free(tax);
    return verdict("q1_aggregate", db_count_wrong(got, want, GROUPS * SUMS));
}
// SPDX-License-Identifier: Apache-2.0
