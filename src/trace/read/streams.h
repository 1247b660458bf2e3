/* SPDX-License-Identifier: Apache-2.0 */
/* An unpacked streams chunk: its table of pieces, and where each piece's bytes lie. */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "trace/codec.h"
#include "trace/read/index.h"

/* Where the sections of a piece begin (they end where those of the next one begin). */
struct piece {
    uint64_t insts, threads;
    uint32_t ctl, addr, val;
};

struct streams {
    uint8_t *raw; /* CODEC_SLACK_B zero bytes follow */
    struct stream_entry entry;
    struct piece *pieces; /* nwarps for each group, in its order, and one behind the last */
};

/* Takes raw over. NULL, or what is wrong. */
const char *streams_parse(struct streams *s, uint8_t *raw, uint32_t raw_b, uint32_t nwarps);
void streams_free(struct streams *s);

#endif
