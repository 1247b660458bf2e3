#ifndef GPU_PROF_H
#define GPU_PROF_H
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
enum { P_PREPARE, P_BUILD, P_MEMNEW, P_SMS, P_WINIT, P_WARM, P_RUN, P_COUNT, P_TEAR, P_START, P_COPY, P_LIST, P_TEAM, P_BACK, P_COLLECT, P_NEXT,
       P_ALONE, P_OWN, P_WAIT, P_WORK, P_MAX, P_ENTER, P_FIRST, P_BUSYW, P_SMALLW, P_CHANW, P_N };
extern uint64_t prof_ns[P_N], prof_n[P_N];
static inline uint64_t prof_now(void){ struct timespec t; clock_gettime(CLOCK_MONOTONIC,&t); return (uint64_t)t.tv_sec*1000000000+(uint64_t)t.tv_nsec; }
static inline void prof_add(int k, uint64_t ns){ prof_ns[k]+=ns; prof_n[k]++; }
static inline void prof_since(int k, uint64_t from){ prof_add(k, prof_now()-from); }
static inline long prof_env(const char *n, long d){ const char *v=getenv(n); return v?atol(v):d; }
void prof_print(void);
#endif
