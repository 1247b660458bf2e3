/* The tables that the query programs share, in the manner of the TPC-H benchmark: orders in the order of
 * their keys (with gaps), one to seven line items each; prices in cents, discounts and taxes in percent,
 * dates in days of seven years. A column is made when it is asked for, always the same. */
#ifndef TABLES_H
#define TABLES_H

#include "database.h"

#define DAYS (7 * 365)
#define NATIONS 25
#define ORDERS_PER_PART 8
#define SUPPLIERS_PER_PART 4

struct tables {
    int orders, items, parts, suppliers, customers;
    int *order_key, *order_date;
    int *item_order; /* the place of each item's order, not its key */
};

static inline int *table_random(int rows, int low, int high, uint32_t seed)
{
    int *column = (int *)host_alloc((size_t)rows * sizeof(int));
    for (int i = 0; i < rows; i++)
        column[i] = low + (int)(next_float(&seed) * (float)(high - low + 1));
    return column;
}

/* Orders come in the order of their dates, as they do where a table is fed day by day: dates make long
 * runs. */
static inline struct tables tables_new(int orders)
{
    struct tables t = {orders, 0, orders / ORDERS_PER_PART + 20, 0, orders / 10 + 10, NULL, NULL, NULL};
    uint32_t seed = 777;
    t.suppliers = t.parts / 20 + 5;
    t.order_key = (int *)host_alloc((size_t)orders * sizeof(int));
    t.order_date = (int *)host_alloc((size_t)orders * sizeof(int));
    t.item_order = (int *)host_alloc((size_t)orders * 7 * sizeof(int));
    for (int o = 0; o < orders; o++) {
        t.order_key[o] = o / 8 * 32 + o % 8 + 1;
        t.order_date[o] = (int)((long long)o * (DAYS - 151) / orders);
        int lines = 1 + (int)(next_random(&seed) >> 8) % 7;
        for (int i = 0; i < lines; i++)
            t.item_order[t.items++] = o;
    }
    return t;
}

static inline void tables_free(struct tables *t)
{
    free(t->order_key), free(t->order_date), free(t->item_order);
}

static inline int *item_orderkey(const struct tables *t)
{
    int *column = (int *)host_alloc((size_t)t->items * sizeof(int));
    for (int i = 0; i < t->items; i++)
        column[i] = t->order_key[t->item_order[i]];
    return column;
}

/* The order's date and `low` to `high` days: (1, 121) is the ship date, (30, 90) the commit date, (2, 151)
 * the receipt. */
static inline int *item_date(const struct tables *t, int low, int high, uint32_t seed)
{
    int *column = table_random(t->items, low, high, seed);
    for (int i = 0; i < t->items; i++)
        column[i] += t->order_date[t->item_order[i]];
    return column;
}

static inline int *item_shipdate(const struct tables *t) { return item_date(t, 1, 121, 101); }
static inline int *item_commitdate(const struct tables *t) { return item_date(t, 30, 90, 102); }
static inline int *item_receiptdate(const struct tables *t) { return item_date(t, 2, 151, 103); }
static inline int *item_quantity(const struct tables *t) { return table_random(t->items, 1, 50, 104); }
static inline int *item_discount(const struct tables *t) { return table_random(t->items, 0, 10, 105); }
static inline int *item_tax(const struct tables *t) { return table_random(t->items, 0, 8, 106); }
static inline int *item_part(const struct tables *t) { return table_random(t->items, 0, t->parts - 1, 107); }
static inline int *item_shipmode(const struct tables *t) { return table_random(t->items, 0, 6, 109); }

/* A part comes from one of SUPPLIERS_PER_PART suppliers. */
static inline int part_supplier(const struct tables *t, int part, int which)
{
    return (part + which * (t->suppliers / SUPPLIERS_PER_PART)) % t->suppliers;
}

static inline int *item_supplier(const struct tables *t)
{
    int *part = item_part(t), *column = table_random(t->items, 0, SUPPLIERS_PER_PART - 1, 108);
    for (int i = 0; i < t->items; i++)
        column[i] = part_supplier(t, part[i], column[i]);
    free(part);
    return column;
}

/* Quantity times the part's price. */
static inline int *item_price(const struct tables *t)
{
    int *part = item_part(t), *column = item_quantity(t);
    for (int i = 0; i < t->items; i++)
        column[i] *= 90000 + part[i] % 10 * 2000;
    free(part);
    return column;
}

static inline int *order_customer(const struct tables *t)
{
    return table_random(t->orders, 0, t->customers - 1, 110);
}
static inline int *order_priority(const struct tables *t) { return table_random(t->orders, 0, 4, 111); }
static inline int *customer_segment(const struct tables *t) { return table_random(t->customers, 0, 4, 112); }
static inline int *customer_nation(const struct tables *t)
{
    return table_random(t->customers, 0, NATIONS - 1, 113);
}
static inline int *supplier_nation(const struct tables *t)
{
    return table_random(t->suppliers, 0, NATIONS - 1, 114);
}
static inline int *part_type(const struct tables *t) { return table_random(t->parts, 0, 149, 115); }
static inline int *part_brand(const struct tables *t) { return table_random(t->parts, 0, 24, 116); }
static inline int *part_container(const struct tables *t) { return table_random(t->parts, 0, 39, 117); }

static inline int *count_up(int rows)
{
    int *column = (int *)host_alloc((size_t)rows * sizeof(int));
    for (int i = 0; i < rows; i++)
        column[i] = i;
    return column;
}

#endif
/* SPDX-License-Identifier: Apache-2.0 */
