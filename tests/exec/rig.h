/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel written by hand, instruction by instruction, and a device to run it on. Parameter 0 is the address of an
 * output array of words; R0 and R1 are the machine's own, tests use R2 and up. */
#ifndef TESTS_EXEC_RIG_H
#define TESTS_EXEC_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/exec.h"

struct rig {
    struct exec_dev *dev;
    struct code code;
    struct code_func func[4];
    VEC(struct ir_insn) v;
    uint64_t params[8];
    uint32_t grid[3], block[3], dyn;
    bool cooperative;
    const struct exec_obs *obs;
    uint64_t out; /* device address, also params[0] */
    uint32_t nout;
    struct exec_error err;
    struct exec_counts counts;
    FILE *text; /* device printf */
    char *text_buf;
    size_t text_n;
};

void rig_open(struct rig *r, uint32_t nout);
void rig_open_cfg(struct rig *r, uint32_t nout, struct exec_cfg cfg);
void rig_close(struct rig *r);
/* Appends; returns its index. */
uint32_t rig_add(struct rig *r, struct ir_insn i);
#define ADD(r, ...) rig_add((r), (struct ir_insn){.line = (r)->v.n + 1, __VA_ARGS__})
static inline uint32_t rig_here(const struct rig *r) { return r->v.n; }
/* Sets the target of the branch at `at` to the next instruction. */
void rig_land(struct rig *r, uint32_t at);
enum exec_status rig_run(struct rig *r, uint32_t ctas, uint32_t threads);
/* Runs and expects success, with the reason shown otherwise. */
void rig_ok(struct rig *r, uint32_t ctas, uint32_t threads);
void rig_fails(struct rig *r, uint32_t ctas, uint32_t threads, enum exec_status want, const char *text);
uint32_t *rig_out(struct rig *r);

#define R(n) ir_reg((n), 0, 1)
#define RR(n) ir_reg((n), 0, 2)
#define R4(n) ir_reg((n), 0, 4)
#define P(n) ir_pred((n), false)
#define NP(n) ir_pred((n), true)
#define I(v) ir_imm((uint32_t)(v))
#define PARAM(k) ir_const(BANK_LAUNCH, CB_PARAM + 8 * (k), 2)

/* Shorthands for what every test needs. */
void rig_s2r(struct rig *r, uint32_t d, enum ir_sreg s);
void rig_mov(struct rig *r, uint32_t d, struct ir_opnd s);
void rig_iadd(struct rig *r, uint32_t d, struct ir_opnd a, struct ir_opnd b);
/* d(pair) = params[k] + index * scale */
void rig_addr(struct rig *r, uint32_t d, unsigned k, struct ir_opnd index, uint32_t scale);
void rig_isetp(struct rig *r, uint32_t p, enum ir_cmp c, struct ir_opnd a, struct ir_opnd b);
uint32_t rig_bra(struct rig *r, struct ir_opnd guard, uint32_t target);
void rig_bssy(struct rig *r, uint32_t b);
void rig_bsync(struct rig *r, uint32_t b);
void rig_stg(struct rig *r, uint32_t addr, struct ir_opnd data);
void rig_exit(struct rig *r);
/* out[global thread] = data, then EXIT. Uses R200 to R203. */
void rig_result(struct rig *r, struct ir_opnd data);

#endif
